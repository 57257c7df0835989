import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import type { UpstreamFailure } from '../../upstreams/contract/upstream.error.js';
import { refusedField } from './refused-parameters.js';
import type { Run } from './run.js';

/**
 * Leaves the part that the upstream refused out of the candidate's request: a part of a native request, or a sampling
 * field. False: the upstream refused nothing that can be left out.
 */
export function leaveOutRefused(
  { candidate, attempt }: Run,
  failure: UpstreamFailure,
  request: ChatCompletionRequest,
): boolean {
  const reduced = attempt.withoutRefused(failure);
  if (reduced !== null) {
    candidate.reduce(reduced);
    return true;
  }
  const refused = refusedField(failure, request);
  return refused !== undefined && candidate.leaveOut(refused);
}
