import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import { type JsonObject, withoutNulls } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { forwardingTest, unsupported } from '../shared/ignored-fields.js';
import { FLEX_AND_PRIORITY, outputLimit, stopSequences } from '../shared/request-fields.js';
import { nearestEffort } from '../shared/requested-tools.js';
import { hasThinkingBudget, tierField, usualEfforts } from './endpoint.js';
import { toMessages } from './messages.js';
import { toTools } from './tools.js';

export const isForwarded = forwardingTest(
  ['n', 'seed', 'logprobs', 'top_logprobs', 'web_search_options', 'modalities'],
  FLEX_AND_PRIORITY,
);

/** Parts of the request are passed on by reference and never changed. */
export function toRequestBody(call: ProviderCall): JsonObject {
  const config = generationConfig(call);
  return {
    ...toMessages(call),
    ...toTools(call),
    ...(config && { generationConfig: config }),
    ...tierField(call),
  };
}

const MAX_CHOICES = 8;

/** Undefined if it would be empty. */
function generationConfig(call: ProviderCall): JsonObject | undefined {
  const { request } = call;
  const config = withoutNulls({
    temperature: request.temperature,
    topP: request.top_p,
    frequencyPenalty: request.frequency_penalty || undefined,
    presencePenalty: request.presence_penalty || undefined,
    maxOutputTokens: outputLimit(request),
    thinkingConfig: thinkingConfig(call),
  });
  // An int32 (`GenerationConfig.seed` in the discovery document); equal seeds stay equal.
  if (request.seed != null) config.seed = request.seed % 2 ** 31;
  if (request.stop?.length) config.stopSequences = stopSequences(request);
  if (request.n != null && request.n > 1) config.candidateCount = choiceCount(request.n);
  if (request.logprobs === true) {
    config.responseLogprobs = true;
    if (request.top_logprobs) config.logprobs = request.top_logprobs;
  }
  const { modalities } = request;
  if (Array.isArray(modalities) && modalities.includes('image')) {
    config.responseModalities = modalities.map((modality) => String(modality).toUpperCase());
  }
  Object.assign(config, formatFields(request));
  return Object.keys(config).length > 0 ? config : undefined;
}

function choiceCount(n: number): number {
  if (n <= MAX_CHOICES) return n;
  throw unsupported('n', `This model returns at most ${MAX_CHOICES} choices.`);
}

function formatFields({ response_format: format }: ChatCompletionRequest): JsonObject {
  if (format?.type !== 'json_object' && format?.type !== 'json_schema') return {};
  const schema = format.type === 'json_schema' ? format.json_schema.schema : undefined;
  return { responseMimeType: 'application/json', ...(schema && { responseJsonSchema: schema }) };
}

/** The thinking budget of each effort, the same as in Google's own OpenAI-compatible API. */
const BUDGETS: ReadonlyMap<string, number> = new Map([
  ['none', 0],
  ['minimal', 1024],
  ['low', 1024],
  ['medium', 8192],
  ['high', 24_576],
]);
const MAX_BUDGET = 24_576;

/** A `ThinkingLevel` of Google's SDK and of Vertex AI's discovery document. */
const LEVELS: ReadonlyMap<string, string> = new Map([
  ['none', 'MINIMAL'],
  ['minimal', 'MINIMAL'],
  ['low', 'LOW'],
  ['medium', 'MEDIUM'],
]);
const MAX_LEVEL = 'HIGH';

/**
 * `reasoning_effort` → `thinkingConfig`: a budget for 2.5, a level for later models. An effort that the model does not
 * have becomes the nearest. The answer includes thoughts, unless the effort is `none`.
 */
function thinkingConfig({ request, upstreamModel, traits }: ProviderCall): JsonObject | undefined {
  const requested = request.reasoning_effort ?? undefined;
  if (requested === undefined) return undefined;
  const effort = nearestEffort(requested, traits.efforts ?? usualEfforts(upstreamModel));
  return {
    ...(hasThinkingBudget(upstreamModel)
      ? { thinkingBudget: BUDGETS.get(effort) ?? MAX_BUDGET }
      : { thinkingLevel: LEVELS.get(effort) ?? MAX_LEVEL }),
    ...(requested !== 'none' && { includeThoughts: true }),
  };
}
