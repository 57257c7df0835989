import type { LiveTarget } from '../../models/model.types.js';
import { UpstreamError } from '../upstream/upstream.error.js';

/** The error for the caller: the upstream's words without the gateway's credential and the upstream's model name. */
export function toldUpstreamError(error: UpstreamError, { upstream, upstreamModel }: LiveTarget, model: string) {
  const { message } = error.failure;
  if (message === undefined) return error;
  const withoutKey = upstream.apiKey ? message.replaceAll(upstream.apiKey, '…') : message;
  const cleaned = withoutSecrets(withoutKey).replaceAll(upstreamModel, model);
  if (cleaned === message) return error;
  return new UpstreamError({ ...error.failure, message: cleaned }, { cause: error.cause });
}

/** What looks like a credential of any kind, also one that an upstream shortened before it repeated it. */
function withoutSecrets(message: string): string {
  return message
    .replace(/\b(sk|svc|gsk|xai|key|org|proj|AKIA|AIza)[-_][\w*.-]{8,}/g, '…')
    .replace(/Bearer\s+\S+/gi, 'Bearer …');
}
