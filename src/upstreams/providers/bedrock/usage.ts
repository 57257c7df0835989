import type { CompletionUsage } from '../../contract/chat.types.js';
import { countOf, isObject, objectsOf } from '../../contract/json.js';

/**
 * Converse's `inputTokens` exclude cache reads and writes, each of which has two possible names. Undefined if there is
 * no usage.
 */
export function toUsage(usage: unknown): CompletionUsage | undefined {
  if (!isObject(usage)) return undefined;
  const input = countOf(usage.inputTokens);
  const output = countOf(usage.outputTokens);
  if (input === undefined || output === undefined) return undefined;
  const cacheRead = countOf(usage.cacheReadInputTokens) ?? countOf(usage.cacheReadInputTokenCount);
  const cacheWrite = countOf(usage.cacheWriteInputTokens) ?? countOf(usage.cacheWriteInputTokenCount);
  const writtenForAnHour = countForAnHour(usage.cacheDetails);
  const prompt = input + (cacheRead ?? 0) + (cacheWrite ?? 0);
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    ...((cacheRead !== undefined || cacheWrite) && {
      prompt_tokens_details: {
        cached_tokens: cacheRead ?? 0,
        ...(cacheWrite && { cache_write_tokens: cacheWrite }),
        ...(writtenForAnHour > 0 && { cache_write_1h_tokens: writtenForAnHour }),
      },
    }),
  };
}

/** `cacheDetails` splits written tokens by lifetime: `5m` or `1h`. */
function countForAnHour(details: unknown): number {
  const kept = objectsOf(details).filter(({ ttl }) => ttl === '1h');
  return kept.reduce((sum, { inputTokens }) => sum + (countOf(inputTokens) ?? 0), 0);
}
