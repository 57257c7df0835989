import type { UpstreamSettings } from '../../config/upstreams.settings.js';
import { UpstreamError } from '../upstream/upstream.error.js';

/**
 * The error for the caller: its words without the gateway's own credential, which no adapter knows. All else that is not
 * for the caller was taken out where the adapter read them.
 */
export function toldUpstreamError(error: UpstreamError, { apiKey }: UpstreamSettings): UpstreamError {
  const { message } = error.failure;
  if (!apiKey || !message?.includes(apiKey)) return error;
  return new UpstreamError(
    { ...error.failure, message: message.replaceAll(apiKey, '[removed]') },
    { cause: error.cause },
  );
}
