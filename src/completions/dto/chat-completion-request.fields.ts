import { flag, integer, integer64, numberBetween, oneOf, oneOfOrForeign, text } from './checks.js';
import { messages } from './message.checks.js';
import * as option from './option.checks.js';
import { type FieldRule, nullable, optional, required } from './structure-checks.js';
import { functionChoice, functions, toolChoice, tools } from './tool.checks.js';

/**
 * The top-level fields of a chat completion request.
 *
 * `nullable` fields may be null by the format. An `optional` one may not, but clients write null for "not set", so it
 * counts as absent and is not passed on.
 */
const FIELDS: Readonly<Record<string, FieldRule>> = {
  model: required(text({ min: 1, max: 256, expected: 'a model id of 1 to 256 characters' })),
  messages: required(messages),
  stream: nullable(flag),
  stream_options: nullable(option.streamOptions),
  temperature: nullable(numberBetween(0, 2)),
  top_p: nullable(numberBetween(0, 1)),
  max_tokens: nullable(integer(1)),
  max_completion_tokens: nullable(integer(1)),
  stop: nullable(option.stop),
  n: nullable(integer(1, 128)),
  seed: nullable(integer64),
  frequency_penalty: nullable(numberBetween(-2, 2)),
  presence_penalty: nullable(numberBetween(-2, 2)),
  logit_bias: nullable(option.logitBias),
  logprobs: nullable(flag),
  top_logprobs: nullable(integer(0, 20)),
  tools: optional(tools),
  tool_choice: optional(toolChoice),
  parallel_tool_calls: optional(flag),
  functions: optional(functions),
  function_call: optional(functionChoice),
  response_format: optional(option.responseFormat),
  reasoning_effort: nullable(oneOfOrForeign('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max')),
  verbosity: nullable(oneOf('low', 'medium', 'high')),
  modalities: nullable(option.modalities),
  audio: nullable(option.audioOutput),
  prediction: nullable(option.prediction),
  web_search_options: optional(option.webSearchOptions),
  moderation: nullable(option.moderation),
  service_tier: nullable(oneOfOrForeign('auto', 'default', 'flex', 'scale', 'priority', 'fast')),
  store: nullable(flag),
  metadata: nullable(option.metadata),
  user: optional(text()),
  safety_identifier: nullable(text({ max: 64 })),
  prompt_cache_key: nullable(text()),
  prompt_cache_retention: nullable(oneOf('in_memory', '24h')),
  prompt_cache_options: optional(option.promptCacheOptions),
};

/** By name; a map, since a body may name what every object inherits. */
export const CHAT_REQUEST_FIELDS: ReadonlyMap<string, FieldRule> = new Map(Object.entries(FIELDS));

export const REQUIRED_FIELDS: readonly string[] = Object.keys(FIELDS).filter((name) => FIELDS[name]?.required);
