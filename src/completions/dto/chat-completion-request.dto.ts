import { flag, integer, integer64, numberBetween, oneOf, oneOfOrForeign, text } from './checks.js';
import { Field } from './field.decorator.js';
import { messages } from './message.checks.js';
import * as option from './option.checks.js';
import { nullable, optional, required } from './structure-checks.js';
import { functionChoice, functions, toolChoice, tools } from './tool.checks.js';

/**
 * The top-level fields of a chat completion request, unchecked until `validateSync` has passed.
 *
 * It holds those that the caller sent, copied from the parsed body: class-validator finds an object's rules by its
 * `constructor`, which in a body may be anything.
 *
 * `nullable` fields may be null by the format. An `optional` one may not, but clients write null for "not set", so it
 * counts as absent and is not passed on.
 */
export class ChatCompletionRequestDto {
  @Field(required(text({ min: 1, max: 256, expected: 'a model id of 1 to 256 characters' })))
  model: unknown;

  @Field(required(messages))
  messages: unknown;

  @Field(nullable(flag))
  stream: unknown;

  @Field(nullable(option.streamOptions))
  stream_options: unknown;

  @Field(nullable(numberBetween(0, 2)))
  temperature: unknown;

  @Field(nullable(numberBetween(0, 1)))
  top_p: unknown;

  @Field(nullable(integer(1)))
  max_tokens: unknown;

  @Field(nullable(integer(1)))
  max_completion_tokens: unknown;

  @Field(nullable(option.stop))
  stop: unknown;

  @Field(nullable(integer(1, 128)))
  n: unknown;

  @Field(nullable(integer64))
  seed: unknown;

  @Field(nullable(numberBetween(-2, 2)))
  frequency_penalty: unknown;

  @Field(nullable(numberBetween(-2, 2)))
  presence_penalty: unknown;

  @Field(nullable(option.logitBias))
  logit_bias: unknown;

  @Field(nullable(flag))
  logprobs: unknown;

  @Field(nullable(integer(0, 20)))
  top_logprobs: unknown;

  @Field(optional(tools))
  tools: unknown;

  @Field(optional(toolChoice))
  tool_choice: unknown;

  @Field(optional(flag))
  parallel_tool_calls: unknown;

  @Field(optional(functions))
  functions: unknown;

  @Field(optional(functionChoice))
  function_call: unknown;

  @Field(optional(option.responseFormat))
  response_format: unknown;

  @Field(nullable(oneOfOrForeign('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max')))
  reasoning_effort: unknown;

  @Field(nullable(oneOf('low', 'medium', 'high')))
  verbosity: unknown;

  @Field(nullable(option.modalities))
  modalities: unknown;

  @Field(nullable(option.audioOutput))
  audio: unknown;

  @Field(nullable(option.prediction))
  prediction: unknown;

  @Field(optional(option.webSearchOptions))
  web_search_options: unknown;

  @Field(nullable(option.moderation))
  moderation: unknown;

  @Field(nullable(oneOfOrForeign('auto', 'default', 'flex', 'scale', 'priority', 'fast')))
  service_tier: unknown;

  @Field(nullable(flag))
  store: unknown;

  @Field(nullable(option.metadata))
  metadata: unknown;

  @Field(optional(text()))
  user: unknown;

  @Field(nullable(text({ max: 64 })))
  safety_identifier: unknown;

  @Field(nullable(text()))
  prompt_cache_key: unknown;

  @Field(nullable(oneOf('in_memory', '24h')))
  prompt_cache_retention: unknown;

  @Field(optional(option.promptCacheOptions))
  prompt_cache_options: unknown;
}
