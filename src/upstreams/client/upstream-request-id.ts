import type { UpstreamHeaders } from '../contract/provider.adapter.js';
import { UpstreamError } from '../contract/upstream.error.js';

/** Headers in which one or the other upstream names its own id of a request. */
const NAMES = ['x-request-id', 'request-id', 'x-amzn-requestid', 'apim-request-id', 'mistral-correlation-id'];

const SHAPE = /^[\x21-\x7e]{1,128}$/;

/** The same error, with the upstream's id of the request: operators need it when they ask there. */
export function withRequestId(error: unknown, headers: UpstreamHeaders): unknown {
  if (error instanceof UpstreamError) error.failure.requestId ??= requestIdOf(headers);
  return error;
}

function requestIdOf(headers: UpstreamHeaders): string | undefined {
  for (const name of NAMES) {
    const id = headers[name];
    if (typeof id === 'string' && SHAPE.test(id)) return id;
  }
  return undefined;
}
