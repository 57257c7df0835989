import { type GatewayError, invalidRequest } from '../../../common/gateway.error.js';

/** The error for a part of a valid request that the model or its API does not support. */
export function unsupported(path: string, message: string): GatewayError {
  return invalidRequest('unsupported_value', path, message);
}

/** The error for a content part. `path`: the part's path. */
export function unsupportedPart(path: string, { type }: { readonly type: string }): GatewayError {
  return unsupported(path, `This model does not accept content of the type '${type}'.`);
}

/** The error for an earlier answer that has only audio. `path`: the message's path. */
export function unsupportedAudio(path: string): GatewayError {
  const remedy = "Send the answer's transcript as 'content'.";
  return unsupported(`${path}.audio`, `This model does not accept an earlier answer as audio. ${remedy}`);
}
