import type { UpstreamFailure } from '../../contract/upstream.error.js';
import type { ErrorFacts } from '../openai/error-facts.js';

/** Content filter errors concern the prompt; a deployment of the wrong model kind is the gateway's fault. */
export function refineFailure(failure: UpstreamFailure, { code }: ErrorFacts): UpstreamFailure {
  if (code === 'OperationNotSupported') return { ...failure, status: 404 };
  return failure.param === 'prompt' ? { ...failure, param: 'messages' } : failure;
}
