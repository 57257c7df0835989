import type { CompletionUsage } from '../../contract/chat.types.js';
import { countOf, isObject, type JsonObject } from '../../contract/json.js';

/**
 * `usageMetadata` → usage; undefined if there are no counts yet. The API omits zeros. Its prompt tokens include cached
 * tokens but not the input of the API's own tools. Its candidates' tokens exclude thoughts.
 */
export function toUsage({ usageMetadata: raw, candidates }: JsonObject): CompletionUsage | undefined {
  if (!isObject(raw)) return undefined;
  const prompt = countOf(raw.promptTokenCount);
  const total = countOf(raw.totalTokenCount);
  if (prompt === undefined && total === undefined) return undefined;

  const thoughts = countOf(raw.thoughtsTokenCount) ?? 0;
  const promptTokens = (prompt ?? 0) + (countOf(raw.toolUsePromptTokenCount) ?? 0);
  const output = (countOf(raw.candidatesTokenCount) ?? 0) + thoughts;
  const completionTokens = Math.max(output, (total ?? 0) - promptTokens);
  const cached = countOf(raw.cachedContentTokenCount);
  const audioInput = audioTokens(raw.promptTokensDetails);
  const audioOutput = audioTokens(raw.candidatesTokensDetails);
  const searches = searchesOf(candidates);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cached ?? 0, ...(audioInput > 0 && { audio_tokens: audioInput }) },
    completion_tokens_details: { reasoning_tokens: thoughts, ...(audioOutput > 0 && { audio_tokens: audioOutput }) },
    ...(searches > 0 && { server_tool_use: { web_search_requests: searches } }),
  };
}

/** Google charges for each search query of the model. */
function searchesOf(candidates: unknown): number {
  if (!Array.isArray(candidates)) return 0;
  return candidates.reduce((sum: number, candidate) => {
    const grounding = isObject(candidate) ? candidate.groundingMetadata : undefined;
    return (
      sum + (isObject(grounding) && Array.isArray(grounding.webSearchQueries) ? grounding.webSearchQueries.length : 0)
    );
  }, 0);
}

function audioTokens(details: unknown): number {
  if (!Array.isArray(details)) return 0;
  const audio = details.filter((detail) => isObject(detail) && detail.modality === 'AUDIO');
  return audio.reduce((sum: number, { tokenCount }: JsonObject) => sum + (countOf(tokenCount) ?? 0), 0);
}
