import type { IncomingHttpHeaders } from 'node:http';
import type { GatewayError } from '../common/gateway.error.js';

/** An error in the format of one API. */
export interface ErrorReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly text: string;
}

/** `headers`: the request's headers. */
export type ErrorFormat = (error: GatewayError, requestId: string, headers: IncomingHttpHeaders) => ErrorReply;

export const toOpenAiError: ErrorFormat = ({ status, headers, text }) => ({ status, headers, text });
