import { type GatewayError, gatewayError } from './gateway.error.js';

// Errors used in several places; docs/api.md lists each.

export function unknownUrl(hint = 'The API begins at /v1.'): GatewayError {
  return gatewayError(404, 'unknown_url', `There is nothing at this URL. ${hint}`);
}

export function undecodableModel(): GatewayError {
  const message = 'The model in this URL does not exist: its id cannot be decoded. Encode a % sign as %25.';
  return gatewayError(404, 'model_not_found', message);
}

/** `name`: of a model that the caller may use, but not by this API. */
export function modelNotSupported(name: string, kind: 'chat' | 'embedding'): GatewayError {
  const message =
    kind === 'embedding'
      ? `The model '${name}' is an embedding model. Call it at POST /v1/embeddings, or choose another model here.`
      : `The model '${name}' is not an embedding model. Choose a model whose kind is 'embedding' at GET /v1/models.`;
  return gatewayError(400, 'model_not_supported', message, { param: 'model' });
}

export function notFound(message: string): GatewayError {
  return gatewayError(404, 'not_found', message);
}

export function methodNotSupported(allowed: readonly string[]): GatewayError {
  const allow = allowed.join(', ');
  const message = `This URL does not support this method. Supported methods: ${allow}.`;
  return gatewayError(405, 'method_not_supported', message, { headers: { allow } });
}

export function invalidApiKey(message: string): GatewayError {
  return gatewayError(401, 'invalid_api_key', message, { headers: { 'www-authenticate': 'Bearer' } });
}

/** Only for unknown keys; `ms`: until the next unknown key is looked up. */
export function tooManyUnknownKeys(ms: number): GatewayError {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  const message = `Too many unknown API keys came from your network. Check your client's key, and try again in ${seconds} s.`;
  const headers = { 'retry-after': String(seconds), 'retry-after-ms': String(seconds * 1000) };
  return gatewayError(429, 'rate_limit_exceeded', message, { headers });
}

export function ownerDisabled(): GatewayError {
  const message = "The account of this API key's owner is disabled. Ask an administrator to enable it.";
  return gatewayError(403, 'insufficient_permissions', message);
}

export function projectArchived(): GatewayError {
  const message = 'The project of this API key is archived.';
  return gatewayError(403, 'insufficient_permissions', message);
}

export function addressNotAllowed(): GatewayError {
  return gatewayError(403, 'ip_not_allowed', 'This API key may not be used from this address.');
}

export function requestTooLarge(limitBytes: number): GatewayError {
  const remedy = limitBytes >= 1024 ** 2 ? 'Send less, or smaller images.' : 'Send less.';
  return gatewayError(413, 'request_too_large', `The request body is larger than ${toSize(limitBytes)}. ${remedy}`);
}

function toSize(bytes: number): string {
  return bytes >= 1024 ** 2 ? `${Math.floor(bytes / 1024 ** 2)} MB` : `${Math.floor(bytes / 1024)} kB`;
}

export function tooCompressed(ratio: number): GatewayError {
  const message = `The request body is compressed to less than 1/${ratio} of its size. Send it with less compression or uncompressed.`;
  return gatewayError(413, 'request_too_large', message);
}

const IN_A_SECOND = { 'retry-after': '1', 'retry-after-ms': '1000' };

/** The key's requests use their share of memory. */
export function tooManyBodyBytes(bytes: number): GatewayError {
  const most = `The key's requests in progress use the maximum amount of memory, ${toSize(bytes)}.`;
  const message = `${most} Please try again when some of them have been answered.`;
  return gatewayError(429, 'rate_limit_exceeded', message, { headers: IN_A_SECOND });
}

export function overloaded(): GatewayError {
  const message = 'The gateway is overloaded. Please try again in a few seconds.';
  return gatewayError(503, 'overloaded', message, { headers: IN_A_SECOND });
}

export function uriTooLong(): GatewayError {
  return gatewayError(414, 'uri_too_long', 'The URL is too long.');
}

export function unsupportedMediaType(): GatewayError {
  const message =
    'The body must be JSON in UTF-8, uncompressed or compressed with gzip, deflate or br: send `Content-Type: application/json`.';
  return gatewayError(415, 'unsupported_media_type', message);
}

export function headersTooLarge(): GatewayError {
  return gatewayError(431, 'headers_too_large', 'The request headers are too large.');
}

export function malformedHttp(): GatewayError {
  return gatewayError(400, 'invalid_request', 'The request is not well-formed HTTP.');
}

export function unreadableBody(): GatewayError {
  return gatewayError(400, 'invalid_request', 'The request body ended early or cannot be decompressed.');
}

export function serviceUnavailable(message: string): GatewayError {
  return gatewayError(503, 'service_unavailable', message, { headers: { 'retry-after': '1' } });
}

export function internalError(): GatewayError {
  return gatewayError(500, 'internal_error', 'The gateway failed to serve this request. Please try again.');
}
