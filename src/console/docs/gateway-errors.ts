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
