import type { CompletionUsage, UsageSoFar } from '../../contract/chat.types.js';
import { countOf, isObject, type JsonObject, objectOf } from '../../contract/json.js';

/**
 * A stream reports cumulative counts in several events: a reported count replaces the earlier one, and an invalid count
 * discards it. Objects are merged.
 */
export function mergedCounts(earlier: JsonObject, later: unknown): JsonObject {
  const merged = { ...earlier };
  for (const [name, count] of Object.entries(objectOf(later))) {
    if (isObject(count)) merged[name] = mergedCounts(objectOf(earlier[name]), count);
    else if (count !== undefined && count !== null) merged[name] = count;
  }
  return merged;
}

/** Undefined until output is counted. */
export function toUsage(counts: unknown): CompletionUsage | undefined {
  const { output_tokens, output_tokens_details: details, server_tool_use } = objectOf(counts);
  const completion = countOf(output_tokens);
  if (completion === undefined) return undefined;
  const { prompt_tokens, prompt_tokens_details } = promptUsage(objectOf(counts));
  const thinking = countOf(objectOf(details).thinking_tokens);
  const searches = countOf(objectOf(server_tool_use).web_search_requests);
  return {
    prompt_tokens,
    completion_tokens: completion,
    total_tokens: prompt_tokens + completion,
    prompt_tokens_details,
    ...(thinking !== undefined && { completion_tokens_details: { reasoning_tokens: thinking } }),
    ...(searches && { server_tool_use: { web_search_requests: searches } }),
  };
}

/** Prompt usage before output is counted. The API's input count excludes cache reads and writes. */
export function promptUsage(counts: JsonObject): UsageSoFar {
  const cached = countOf(counts.cache_read_input_tokens) ?? 0;
  const written = countOf(counts.cache_creation_input_tokens) ?? 0;
  const writtenForAnHour = countOf(objectOf(counts.cache_creation).ephemeral_1h_input_tokens);
  return {
    prompt_tokens: (countOf(counts.input_tokens) ?? 0) + written + cached,
    prompt_tokens_details: {
      cached_tokens: cached,
      cache_write_tokens: written,
      ...(writtenForAnHour && { cache_write_1h_tokens: writtenForAnHour }),
    },
  };
}
