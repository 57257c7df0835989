import type { ChatCompletionRequest } from '../contract/chat.types.js';

/** The tier that a request asks for where an API has these two; `default` and `auto` are what happens anyway. */
export function flexOrPriority({ service_tier: tier }: ChatCompletionRequest): 'flex' | 'priority' | undefined {
  return tier === 'flex' || tier === 'priority' ? tier : undefined;
}
