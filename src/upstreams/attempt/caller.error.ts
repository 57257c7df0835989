import type { UpstreamSettings } from '../../config/upstreams.settings.js';
import { UpstreamError } from '../contract/upstream.error.js';
import { withoutSecrets } from '../providers/shared/upstream-message.js';
import { withoutCredential } from './without-credential.js';

const MAX_PARAM_LENGTH = 200;

/**
 * The upstream error for the caller, without the gateway's own credential. Adapters have already removed other secrets
 * from the message. `isLast`: the gateway has no attempts left.
 */
export function toCallerError(error: UpstreamError, upstream: UpstreamSettings, isLast = false): UpstreamError {
  const { message, param, requestId } = error.failure;
  const failure = {
    ...error.failure,
    message: message && withoutCredential(message, upstream),
    param: param && withoutSecrets(withoutCredential(param, upstream)).slice(0, MAX_PARAM_LENGTH),
    requestId: requestId && withoutCredential(requestId, upstream),
    isLast,
  };
  const isTheSame =
    failure.message === message && failure.param === param && failure.requestId === requestId && !isLast;
  return isTheSame ? error : new UpstreamError(failure, { cause: error.cause });
}
