import type { Operation } from './document.types.js';
import { errorResponse } from './error.schemas.js';

/** Possible errors of every operation of `/v1`. */
export const gatewayErrors: Operation['responses'] = {
  400: errorResponse(
    'The request is not valid (`invalid_value`, …), or the model does not support it (`unsupported_value`, `model_not_supported`).',
  ),
  401: errorResponse('`invalid_api_key`: the key is missing, unknown, disabled, revoked or expired.'),
  403: errorResponse(
    '`insufficient_permissions`, `ip_not_allowed`: the owner is disabled; the address is not on the key’s list.',
  ),
  404: errorResponse('`model_not_found`: the model does not exist, or you cannot use it.'),
  500: errorResponse('`internal_error`: a fault of the gateway.'),
  503: errorResponse('`overloaded`, `service_unavailable`: try again after `Retry-After` seconds.'),
};

/** Possible errors of every call of a model, in OpenAI's format. */
export const callErrors: Operation['responses'] = {
  ...gatewayErrors,
  413: errorResponse('`request_too_large`: the body is larger than the limit.'),
  415: errorResponse('`unsupported_media_type`: the body is not JSON in UTF-8.'),
  429: errorResponse('`upstream_rate_limited`: the provider limits the gateway; see `Retry-After`.'),
  502: errorResponse('`upstream_error`, `upstream_unreachable` or `upstream_incomplete`: the provider failed.'),
  504: errorResponse('`upstream_timeout`: the provider was too slow.'),
};
