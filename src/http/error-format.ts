import type { IncomingHttpHeaders } from 'node:http';
import type { GatewayError } from '../common/gateway.error.js';

/** An error as the clients of one API read it. */
export interface ErrorReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly text: string;
}

/** `headers`: of the request. */
export type ErrorFormat = (error: GatewayError, requestId: string, headers: IncomingHttpHeaders) => ErrorReply;

export const toOpenAiError: ErrorFormat = ({ status, headers, text }) => ({ status, headers, text });
