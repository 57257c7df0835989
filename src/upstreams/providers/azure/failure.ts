import type { UpstreamFailure } from '../../contract/upstream.error.js';
import type { ErrorFacts } from '../openai/error-facts.js';

/** The content filter speaks of the prompt, and a deployment of another kind of model is the gateway's to fix. */
export function refineFailure(failure: UpstreamFailure, { code }: ErrorFacts): UpstreamFailure {
  if (code === 'OperationNotSupported') return { ...failure, status: 404 };
  return failure.param === 'prompt' ? { ...failure, param: 'messages' } : failure;
}
