/** A code of an error of `/v1`: in the API's document, and in the table of the page Errors. */
export interface ErrorCode {
  readonly status: number;
  readonly code: string;
  readonly meaning: string;
  /** What the caller can do. */
  readonly remedy: string;
}

const correct = 'Correct the field that `param` names.';
const again = 'Try again after `Retry-After` seconds.';
const report = 'Try again. If the error persists, report the `x-request-id`.';

/** All error codes of the gateway, by status. */
export const ERROR_CODES: readonly ErrorCode[] = [
  error(400, 'invalid_json', 'The body is not valid JSON.', 'Send valid JSON in UTF-8.'),
  error(
    400,
    'invalid_request',
    'The request is not well-formed HTTP, or its body ended early.',
    'Send the complete request again.',
  ),
  error(400, 'invalid_type', 'A field has the wrong type.', correct),
  error(400, 'missing_required_parameter', 'A required field is missing.', 'Add the field that `param` names.'),
  error(400, 'invalid_value', 'A field has a value that is not allowed.', correct),
  error(
    400,
    'unsupported_value',
    'The model does not support what a field asks for.',
    'Leave the field out, or choose another model.',
  ),
  error(
    400,
    'unsupported_parameter',
    'The gateway or the model’s provider does not support the field.',
    'Leave the field out, or choose another model.',
  ),
  error(
    400,
    'model_not_supported',
    'The model cannot be called at this address, such as a chat model at `/v1/embeddings`.',
    'Choose a model of the right `kind`.',
  ),
  error(
    400,
    'context_length_exceeded',
    'The request is longer than the model can read.',
    'Shorten it, or choose a model with a larger context.',
  ),
  error(
    400,
    'content_blocked',
    'A guard of the gateway blocked the request; `param` names the place.',
    'Remove what the message names.',
  ),
  error(400, 'content_filter', 'The provider’s content filter refused the request.', 'Change the prompt.'),
  error(
    401,
    'invalid_api_key',
    'The key is missing, unknown, disabled, revoked or expired.',
    'Check the key, or create another one.',
  ),
  error(403, 'insufficient_permissions', 'The account of the key’s owner is disabled.', 'Ask an administrator.'),
  error(
    403,
    'ip_not_allowed',
    'Your address is not on the key’s list of allowed addresses.',
    'Call from an allowed address, or change the key’s list.',
  ),
  error(404, 'model_not_found', 'The model does not exist, or you cannot use it.', 'Use an id from `GET /v1/models`.'),
  error(404, 'unknown_url', 'There is nothing at this URL.', 'Check the base URL: it ends with `/v1`.'),
  error(405, 'method_not_supported', 'The URL does not support this method.', 'Use a method that `Allow` names.'),
  error(
    409,
    'idempotency_in_progress',
    'A request with this `Idempotency-Key` is still running.',
    'Wait until it has finished, then repeat the request.',
  ),
  error(
    409,
    'idempotency_answer_not_kept',
    'The answer to this `Idempotency-Key` was too large to keep.',
    'Send the request with a new key.',
  ),
  error(413, 'request_too_large', 'The body is larger than the limit.', 'Send less, or smaller images.'),
  error(414, 'uri_too_long', 'The URL is too long.', 'Shorten the query.'),
  error(415, 'unsupported_media_type', 'The body is not JSON in UTF-8.', 'Send `Content-Type: application/json`.'),
  error(
    422,
    'idempotency_key_reused',
    'The `Idempotency-Key` was used with a different request.',
    'Use a new key for each request.',
  ),
  error(
    426,
    'websocket_not_supported',
    'The API is served over HTTP, not over a WebSocket.',
    'Turn WebSockets off in your client.',
  ),
  error(
    429,
    'rate_limit_exceeded',
    'A limit on requests, tokens or concurrent calls is reached; the message names it.',
    'Wait for `Retry-After` seconds.',
  ),
  error(
    429,
    'insufficient_quota',
    'A budget is used up or too small for this call; the message names it.',
    'Do not retry. Wait until it resets, or ask for more.',
  ),
  error(429, 'upstream_rate_limited', 'The provider limits the gateway.', again),
  error(431, 'headers_too_large', 'The request’s headers are too large.', 'Send fewer or smaller headers.'),
  error(500, 'internal_error', 'An error in the gateway.', report),
  error(502, 'upstream_error', 'The provider failed, or refused the gateway’s credential.', report),
  error(502, 'upstream_unreachable', 'The provider cannot be reached.', report),
  error(502, 'upstream_incomplete', 'The provider ended the answer early.', 'Try again.'),
  error(503, 'guard_unavailable', 'A guard of the gateway cannot check the call now.', again),
  error(503, 'overloaded', 'The provider or the gateway is overloaded.', again),
  error(503, 'service_unavailable', 'The gateway is shutting down or has no database.', again),
  error(504, 'upstream_timeout', 'The provider was too slow.', 'Try again, with `stream` for long answers.'),
];

function error(status: number, code: string, meaning: string, remedy: string): ErrorCode {
  return { status, code, meaning, remedy };
}
