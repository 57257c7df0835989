import { isObject, type JsonObject } from '../../contract/json.js';
import type { Dialect } from '../openai/dialect.js';
import { textParts } from '../openai/messages.js';
import { supporting } from '../shared/capabilities.js';
import { FUNCTION_NAMES } from '../shared/legacy-functions.js';
import { COMMON_FIELDS } from '../shared/request-fields.js';
import { NO_PARAMETERS } from '../shared/requested-tools.js';
import { contentChunk, readParts, toolCallId, turnsInOrder } from './messages.js';

/** Mistral refuses unknown fields, in the request and in each message. */
export const mistralDialect: Dialect = {
  protocol: 'mistral',
  path: '/v1/chat/completions',
  // "Too many inputs in request, split into more batches." and "Too many tokens in batch. Max is 16384".
  embeddings: {
    path: '/v1/embeddings',
    mostInputs: 256,
    mostTokens: 16_000,
    takesTokens: false,
    takesBase64: false,
    dimensionsField: 'output_dimension',
  },
  // Fill in the middle, whose answers have the format of Chat Completions.
  textCompletions: {
    path: '/v1/fim/completions',
    takesSuffix: true,
    takesLists: false,
    only: ['model', 'prompt', 'suffix', 'max_tokens', 'temperature', 'top_p', 'stop', 'stream'],
  },
  capabilities: supporting(
    ['json_object', 'json_schema', 'multiple_choices', 'logprobs', 'file_input', 'image_address'],
    { forwarding: ['audio_input'] },
  ),
  takesCacheKey: true,
  fields: {
    only: [
      ...COMMON_FIELDS,
      'guardrails',
      'logprobs',
      'metadata',
      'n',
      'parallel_tool_calls',
      'prediction',
      'prompt_cache_key',
      'prompt_mode',
      'random_seed',
      'safe_prompt',
      'seed',
      'top_logprobs',
    ],
  },
  messageFields: { only: ['role', 'content', 'tool_calls', 'tool_call_id', 'prefix'] },
  partFields: { only: ['type', 'text', 'image_url', 'input_audio', 'file'] },
  adaptPart: contentChunk,
  adaptConversation: turnsInOrder,
  // A function requires parameters (`Function` of the package mistralai).
  adaptFunction: (described) =>
    described.parameters == null ? { ...described, parameters: NO_PARAMETERS } : described,
  // "Function name was … but must be a-z, A-Z, 0-9, or contain underscores and dashes" (package mistral-common).
  calledNames: FUNCTION_NAMES,
  efforts,
  outputLimit: 'max_tokens',
  renames: { seed: 'random_seed' },
  streamUsage: 'always',
  developerRole: false,
  toolCallId,
  adjust(body) {
    if (body.tool_choice === 'required') body.tool_choice = 'any';
    if (isObject(body.prediction)) body.prediction = predictedText(body.prediction);
    // `minimum: 0` in the published API; OpenAI's seeds are signed.
    if (typeof body.random_seed === 'number' && body.random_seed < 0) body.random_seed = -1 - body.random_seed;
  },

  readParts,
  cachedTokensField: 'num_cached_tokens',
  // Audio tokens are only included in the total.
  shortCount: 'prompt_tokens',
};

/** docs.mistral.ai, "Reasoning": Large 4 has more levels, other models only "none" and "high". */
function efforts(model: string): readonly string[] {
  return model.startsWith('mistral-large-4') ? ['none', 'low', 'medium', 'high'] : ['none', 'high'];
}

/** Predictions are text only (`Prediction` of the package mistralai). */
function predictedText({ content }: JsonObject): JsonObject {
  return { type: 'content', content: Array.isArray(content) ? textParts(content).content : content };
}
