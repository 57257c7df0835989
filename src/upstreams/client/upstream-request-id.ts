import type { UpstreamHeaders } from '../contract/provider.adapter.js';
import { UpstreamError } from '../contract/upstream.error.js';

/** Headers in which upstreams return their request id. */
const NAMES = ['x-request-id', 'request-id', 'x-amzn-requestid', 'apim-request-id', 'mistral-correlation-id'];

const SHAPE = /^[\x21-\x7e]{1,128}$/;

/** Adds the upstream's request id, which operators need for support requests. */
export function withRequestId(error: unknown, headers: UpstreamHeaders): unknown {
  if (error instanceof UpstreamError) error.failure.requestId ??= requestIdOf(headers);
  return error;
}

function requestIdOf(headers: UpstreamHeaders): string | undefined {
  return NAMES.map((name) => headers[name]).find((id): id is string => typeof id === 'string' && SHAPE.test(id));
}
