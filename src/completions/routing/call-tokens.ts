import { choicesOf } from '../../limits/worst-case.js';
import type { Model } from '../../models/model.types.js';
import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';

/** The assumption if the caller sets no limit; most models could write a hundred times as many. */
const USUAL_ANSWER = 1000;

interface TokensOfCall {
  readonly request: ChatCompletionRequest;
  readonly estimatedInputTokens: number;
}

/** The tokens counted against `tokensPerMinute` at a call's start: the estimated prompt and the requested output. */
export function callTokens(
  { request, estimatedInputTokens }: TokensOfCall,
  { maxOutputTokens }: Pick<Model, 'maxOutputTokens'>,
): number {
  const requested = request.max_completion_tokens ?? request.max_tokens ?? USUAL_ANSWER;
  return estimatedInputTokens + choicesOf(request) * Math.min(requested, maxOutputTokens ?? requested);
}
