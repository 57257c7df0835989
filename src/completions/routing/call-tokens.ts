import { choicesOf } from '../../limits/worst-case.js';
import type { Model } from '../../models/model.types.js';
import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import { roughPromptTokens } from '../../upstreams/tokens/prompt-tokens.js';

/** Tokens assumed where the caller sets no limit; most models could write a hundred times as many. */
const USUAL_ANSWER = 1000;

/** The tokens counted against `tokensPerMinute` at the start of a call: the estimated prompt and the requested output. */
export function callTokens(
  request: ChatCompletionRequest,
  { maxOutputTokens }: Pick<Model, 'maxOutputTokens'>,
): number {
  const requested = request.max_completion_tokens ?? request.max_tokens ?? USUAL_ANSWER;
  return roughPromptTokens(request) + choicesOf(request) * Math.min(requested, maxOutputTokens ?? requested);
}
