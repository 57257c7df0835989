import type { IncomingHttpHeaders } from 'node:http';
import { type GatewayError, overflowInAnthropicsWords } from '../common/gateway.error.js';

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

/** Anthropic's status where OpenAI answers 503. */
const OVERLOADED = 529;

const TYPES: ReadonlyMap<number, string> = new Map([
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [504, 'timeout_error'],
  [OVERLOADED, 'overloaded_error'],
]);

/** An error in Anthropic's format. Source: docs.claude.com, "Errors". */
export const toAnthropicError: ErrorFormat = (error, requestId) => ({
  status: statusOf(error),
  headers: { ...error.headers, 'request-id': requestId },
  text: anthropicErrorText(error, requestId),
});

/** The JSON of an error, with or without a stream. The format has no field for a path, so the message contains it. */
export function anthropicErrorText(error: GatewayError, requestId: string): string {
  const status = statusOf(error);
  const type = TYPES.get(status) ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  return JSON.stringify({
    type: 'error',
    error: { type, message: messageOf(error), ...(error.details && { details: error.details }) },
    request_id: requestId,
  });
}

function messageOf({ body: { message, param }, overflow }: GatewayError): string {
  if (overflow) return overflowInAnthropicsWords(overflow);
  return param === null || message.includes(param) ? message : `${param}: ${message}`;
}

function statusOf({ status }: GatewayError): number {
  return status === 503 ? OVERLOADED : status;
}
