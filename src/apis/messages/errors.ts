import { GatewayError } from '../../common/gateway.error.js';

/** An error as Anthropic's clients read it. Source: docs.claude.com, "Errors". */
export interface MessagesError {
  readonly status: number;
  readonly body: {
    readonly type: 'error';
    readonly error: { readonly type: string; readonly message: string; readonly details?: ErrorDetails };
    readonly request_id: string;
  };
  readonly headers: Readonly<Record<string, string>>;
}

type ErrorDetails = Readonly<Record<string, unknown>>;

/** Says in `details`, for programs, what the message says. */
export class DetailedError extends GatewayError {
  constructor(
    { status, body, headers }: GatewayError,
    readonly details: ErrorDetails,
  ) {
    super(status, body, headers);
  }
}

/** Anthropic's status where Chat Completions answers 503. */
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

export function toMessagesError(error: GatewayError, requestId: string): MessagesError {
  const status = error.status === 503 ? OVERLOADED : error.status;
  const type = TYPES.get(status) ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  const details = error instanceof DetailedError && { details: error.details };
  return {
    status,
    body: { type: 'error', error: { type, message: error.body.message, ...details }, request_id: requestId },
    headers: { ...error.headers, 'request-id': requestId },
  };
}
