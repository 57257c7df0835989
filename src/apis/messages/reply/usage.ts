import type { CompletionUsage } from '../../../upstreams/contract/chat.types.js';

/** Usage with the API's names. `input_tokens` excludes tokens that were read from or written to a cache. */
export interface MessagesUsage {
  readonly input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly output_tokens: number;
}

export function toMessagesUsage({ prompt_tokens, prompt_tokens_details, completion_tokens }: CompletionUsage) {
  const read = prompt_tokens_details?.cached_tokens ?? 0;
  const written = prompt_tokens_details?.cache_write_tokens ?? 0;
  return usageOf(Math.max(prompt_tokens - read - written, 0), completion_tokens, { read, written });
}

/** Used until the upstream reports its usage. */
export function estimatedUsage(inputTokens: number): MessagesUsage {
  return usageOf(inputTokens, 0, { read: 0, written: 0 });
}

function usageOf(input: number, output: number, cache: { read: number; written: number }): MessagesUsage {
  return {
    input_tokens: input,
    cache_creation_input_tokens: cache.written,
    cache_read_input_tokens: cache.read,
    output_tokens: output,
  };
}
