import { FUNCTION_NAMES } from '../shared/legacy-functions.js';
import { shortId } from '../shared/tool-calls.js';
import type { Dialect } from './dialect.js';
import { openAiEfforts, RESPONSES_EFFORTS } from './request.js';

export const MAX_CALL_ID_LENGTH = 40;

/** Fields of other upstreams' answers that clients send back, as OpenAI refuses unknown message fields. */
export const HISTORY_OF_OTHERS = [
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'extra_content',
  'cache_control',
  'images',
  'provider_specific_fields',
] as const;

/** `gpt-4o-search-preview`, `gpt-5-search-api`. */
export function isSearchModel(model: string): boolean {
  return /-search-(?:preview|api)\b/.test(model);
}

/** OpenAI's own API accepts the whole format and ignores unknown top-level fields. */
export const openAiDialect: Dialect = {
  protocol: 'openai',
  searchesUnasked: isSearchModel,
  // "The maximum of 300,000 tokens summed across all inputs in a single request" (platform.openai.com).
  embeddings: { mostInputs: 2048, mostTokens: 300_000, takesTokens: true, takesBase64: true },
  textCompletions: { takesSuffix: true, takesLists: true, takesZero: true },
  capabilities: {
    json_object: true,
    json_schema: true,
    multiple_choices: true,
    logprobs: true,
    audio_input: true,
    audio_output: true,
    image_output: false,
    file_input: true,
    image_address: true,
    custom_tools: true,
    functions: true,
    logit_bias: true,
    web_search: true,
  },
  fields: { except: [] },
  messageFields: { except: HISTORY_OF_OTHERS },
  // OpenAI marks cached content with `prompt_cache_breakpoint` (package openai).
  partFields: { except: ['cache_control'] },
  // "Invalid 'messages[3].tool_calls[0].id': string too long. Expected a string with maximum length 40".
  toolCallId: shortId(MAX_CALL_ID_LENGTH),
  allowedTools: true,
  calledNames: FUNCTION_NAMES,
  schemaMayLack: true,
  takesCacheKey: true,
  efforts: openAiEfforts,
  refusedEfforts: RESPONSES_EFFORTS,
  // Reasoning models refuse `max_tokens`; all models accept this field.
  outputLimit: 'max_completion_tokens',
  streamUsage: 'stream_options',
  developerRole: true,
};
