import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';

/** The most tokens that the caller will have answered; undefined where it sets no limit. */
export function outputLimit({ max_completion_tokens: limit, max_tokens: older }: ChatCompletionRequest) {
  return limit ?? older ?? undefined;
}

/** By which field it sets that limit, or would. */
export function outputLimitField({ max_completion_tokens: limit }: ChatCompletionRequest): string {
  return limit == null ? 'max_tokens' : 'max_completion_tokens';
}

export function stopSequences({ stop }: ChatCompletionRequest): readonly string[] | undefined {
  return typeof stop === 'string' ? [stop] : (stop ?? undefined);
}

/**
 * The penalties that ask for something. Few APIs and models have them: they are sent so that they are refused by name,
 * upon which the call is repeated without them and the caller is told.
 */
export function penalties({ frequency_penalty, presence_penalty }: ChatCompletionRequest): JsonObject {
  return { ...(frequency_penalty && { frequency_penalty }), ...(presence_penalty && { presence_penalty }) };
}

/** The tiers of some APIs, beside `default` and `auto`, which are what happens anyway. */
export const FLEX_AND_PRIORITY = ['flex', 'priority'] as const;

export function flexOrPriority({ service_tier: tier }: ChatCompletionRequest) {
  return FLEX_AND_PRIORITY.find((known) => known === tier);
}
