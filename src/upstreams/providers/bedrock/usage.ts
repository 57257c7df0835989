import type { CompletionUsage } from '../../contract/chat.types.js';
import { countOf, isObject } from '../../contract/json.js';

/**
 * Converse's usage, whose `inputTokens` leave out what was read from or written to the cache; each of these counts may
 * come under two names. Undefined where there is none.
 */
export function toUsage(usage: unknown): CompletionUsage | undefined {
  if (!isObject(usage)) return undefined;
  const input = countOf(usage.inputTokens);
  const output = countOf(usage.outputTokens);
  if (input === undefined || output === undefined) return undefined;
  const cacheRead = countOf(usage.cacheReadInputTokens) ?? countOf(usage.cacheReadInputTokenCount);
  const cacheWrite = countOf(usage.cacheWriteInputTokens) ?? countOf(usage.cacheWriteInputTokenCount);
  const prompt = input + (cacheRead ?? 0) + (cacheWrite ?? 0);
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    ...(cacheRead !== undefined && {
      prompt_tokens_details: { cached_tokens: cacheRead, ...(cacheWrite && { cache_write_tokens: cacheWrite }) },
    }),
  };
}
