import type { CompletionUsage } from '../../../upstreams/contract/chat.types.js';

/** Usage with the API's names. `input_tokens` excludes tokens that were read from or written to a cache. */
export function toMessagesUsage({ prompt_tokens, prompt_tokens_details, completion_tokens }: CompletionUsage) {
  const { cached_tokens: read = 0, cache_write_tokens: written = 0 } = prompt_tokens_details ?? {};
  return {
    input_tokens: Math.max(prompt_tokens - read - written, 0),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    output_tokens: completion_tokens,
  };
}

/** Used until the upstream reports its usage. */
export function estimatedUsage(inputTokens: number) {
  return toMessagesUsage({ prompt_tokens: inputTokens, completion_tokens: 0, total_tokens: inputTokens });
}
