import type { CompletionUsage } from '../../contract/chat.types.js';
import { countOf, isObject, type JsonObject, listOf, objectOf, objectsOf } from '../../contract/json.js';

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
  const grounding = objectsOf(candidates).map(({ groundingMetadata }) => objectOf(groundingMetadata));
  return grounding.flatMap(({ webSearchQueries }) => listOf(webSearchQueries)).length;
}

function audioTokens(details: unknown): number {
  const audio = objectsOf(details).filter(({ modality }) => modality === 'AUDIO');
  return audio.reduce((sum, { tokenCount }) => sum + (countOf(tokenCount) ?? 0), 0);
}
