import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import { type JsonObject, withoutNulls } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { forwardingTest } from '../shared/ignored-fields.js';
import { FLEX_AND_PRIORITY, outputLimit, stopSequences } from '../shared/request-fields.js';
import { unsupported } from '../shared/unsupported.js';
import { tierField } from './endpoint.js';
import { toMessages } from './messages.js';
import { thinkingConfig } from './reasoning.js';
import { toTools } from './tools.js';

export const isForwarded = forwardingTest(
  ['n', 'seed', 'logprobs', 'top_logprobs', 'web_search_options'],
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
    frequencyPenalty: request.frequency_penalty,
    presencePenalty: request.presence_penalty,
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
