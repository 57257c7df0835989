import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';

/** Limits the answer to the tokens that a budget allows, in the field that the caller used. */
export function withOutputCeiling(request: ChatCompletionRequest, tokens: number | null): ChatCompletionRequest {
  if (tokens === null) return request;
  const isOlder = request.max_completion_tokens == null && request.max_tokens != null;
  return { ...request, [isOlder ? 'max_tokens' : 'max_completion_tokens']: tokens };
}
