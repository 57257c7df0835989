import type { Logger } from '@nestjs/common';
import { GatewayError } from '../../common/gateway.error.js';
import { sanitized } from '../../common/sanitized.js';
import type { UpstreamSettings } from '../../config/upstreams.settings.js';
import { toCallerError } from '../../upstreams/attempt/caller.error.js';
import { withoutCredential } from '../../upstreams/attempt/without-credential.js';
import type { UpstreamError } from '../../upstreams/contract/upstream.error.js';
import type { CompletionCall } from '../call/completion.call.js';
import { loggedMessage } from './logged-message.js';
import type { Run } from './run.js';

const MAX_MESSAGE_LENGTH = 300;

/** Also stores the upstream's message, shortened and sanitized, in the attempt's record. */
export function logFailedAttempt(
  logger: Logger,
  call: CompletionCall,
  { record, candidate: { target } }: Run,
  error: UpstreamError,
): void {
  const { failure, body } = toCallerError(error, target.upstream);
  const upstreamMessage = loggedMessage(failure.message, call.request.messages);
  logger.warn('An upstream attempt failed.', {
    requestId: call.requestId,
    clientRequestId: call.clientRequestId,
    upstream: target.upstream.name,
    ...(target.keyName !== null && { key: target.keyName }),
    upstreamModel: target.upstreamModel,
    upstreamStatus: failure.status,
    upstreamRequestId: failure.requestId,
    upstreamMessage,
    code: body.code,
    cause: causeOf(error, target.upstream),
  });
  const stored = sanitized(upstreamMessage ?? null, MAX_MESSAGE_LENGTH);
  if (stored) record.message = stored;
}

export function codeOf(error: unknown): string {
  return (error instanceof GatewayError && error.body.code) || 'internal_error';
}

/** The technical cause. A `SyntaxError` is reduced to its name, as its message quotes the JSON. */
function causeOf({ cause }: UpstreamError, upstream: UpstreamSettings): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  return cause instanceof SyntaxError ? cause.name : withoutCredential(cause.message, upstream);
}
