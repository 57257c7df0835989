import type { CompletionUsage } from '../../contract/chat.types.js';
import { countOf, isObject, type JsonObject, objectOf } from '../../contract/json.js';
import type { Dialect } from './dialect.js';

const PROMPT_DETAILS = ['cached_tokens', 'audio_tokens', 'text_tokens', 'image_tokens', 'cache_write_tokens'] as const;
const COMPLETION_DETAILS = [
  'reasoning_tokens',
  'audio_tokens',
  'text_tokens',
  'accepted_prediction_tokens',
  'rejected_prediction_tokens',
] as const;

/** Usage with prompt + completion = total; undefined if there is none. */
export function toUsage(
  body: JsonObject,
  dialect: Pick<Dialect, 'usageOf' | 'shortCount' | 'cachedTokensField'> = {},
): CompletionUsage | undefined {
  const raw = dialect.usageOf ? dialect.usageOf(body) : body.usage;
  if (!isObject(raw)) return undefined;
  const prompt = countOf(raw.prompt_tokens);
  const completion = countOf(raw.completion_tokens);
  if (prompt === undefined || completion === undefined) return undefined;

  const usage: CompletionUsage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: 0 };
  const missing = (countOf(raw.total_tokens) ?? 0) - prompt - completion;
  if (missing > 0) usage[dialect.shortCount ?? 'completion_tokens'] += missing;
  usage.total_tokens = usage.prompt_tokens + usage.completion_tokens;

  const cached = dialect.cachedTokensField === undefined ? undefined : countOf(raw[dialect.cachedTokensField]);
  const promptDetails = countsOf(raw.prompt_tokens_details, PROMPT_DETAILS);
  if (promptDetails || cached !== undefined) {
    usage.prompt_tokens_details = cached === undefined ? promptDetails : { cached_tokens: cached, ...promptDetails };
  }
  const searches = webSearches(raw);
  if (searches !== undefined) usage.server_tool_use = { web_search_requests: searches };
  const completionDetails = countsOf(raw.completion_tokens_details, COMPLETION_DETAILS);
  if (completionDetails) usage.completion_tokens_details = completionDetails;
  return usage;
}

/** OpenRouter's field, then Perplexity's. */
function webSearches({ server_tool_use: used, num_search_queries: queries }: JsonObject): number | undefined {
  return countOf(objectOf(used).web_search_requests) ?? countOf(queries);
}

function countsOf(details: unknown, names: readonly string[]): Record<string, number> | undefined {
  if (!isObject(details)) return undefined;
  const counts: Record<string, number> = {};
  for (const name of names) {
    const count = countOf(details[name]);
    if (count !== undefined) counts[name] = count;
  }
  return counts;
}
