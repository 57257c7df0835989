import { invalidRequest } from '../../common/gateway.error.js';
import type { JsonSchema } from '../../common/json-schema.js';
import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import {
  faultAt,
  faultError,
  flag,
  integer,
  missing,
  noteForeignValue,
  numberBetween,
  oneOf,
  oneOfOrForeign,
  text,
} from './checks.js';
import { isDeniedField } from './denied-fields.js';
import { messages } from './message.checks.js';
import * as option from './option.checks.js';
import {
  type FieldRule,
  isJsonObject,
  type JsonObject,
  nullable,
  objectSchema,
  older,
  optional,
  required,
} from './structure.checks.js';
import { functionChoice, functions, toolChoice, tools } from './tool.checks.js';

/**
 * Validates a parsed JSON body. Throws a `GatewayError` 400 that names the invalid field.
 *
 * The request has the body's top-level fields, including unknown ones, and shares their values. It leaves out denied
 * fields, nulls where the format has no null, and `stream_options` if the request does not stream (some clients always
 * send it, and some upstreams refuse that).
 */
export function toChatRequest(body: unknown): ChatCompletionRequest {
  if (!isJsonObject(body)) throw invalidRequest('invalid_type', null, 'The request body must be a JSON object.');
  refuseMissing(body);
  const request: JsonObject = {};
  for (const name of Object.keys(body)) {
    const value = body[name];
    const rule = CHAT_REQUEST_FIELDS.get(name);
    if (rule) refuseFault(rule, name, value, request);
    if (rule ? isForwarded(rule, name, value) : !isDeniedField(name)) request[name] = value;
  }
  refuseConflicts(body);
  if (request.stream_options !== undefined && body.stream !== true) delete request.stream_options;
  return request as ChatCompletionRequest;
}

function refuseMissing(body: JsonObject): void {
  for (const name of REQUIRED_FIELDS) {
    const expected = CHAT_REQUEST_FIELDS.get(name)?.check.expected ?? '';
    if (body[name] === undefined) throw faultError(faultAt(name, missing(expected)));
  }
}

function refuseFault({ check, onNull }: FieldRule, name: string, value: unknown, request: JsonObject): void {
  const fault = value === null && onNull !== 'refuse' ? null : check.faultIn(value);
  if (fault?.isForeign) noteForeignValue(request, faultAt(name, fault));
  else if (fault) throw faultError(faultAt(name, fault));
}

function refuseConflicts({ logprobs, top_logprobs }: JsonObject): void {
  if (Number(top_logprobs ?? 0) > 0 && logprobs !== true) {
    const message = "Invalid value for 'top_logprobs': it is only allowed when 'logprobs' is true.";
    throw invalidRequest('invalid_value', 'top_logprobs', message);
  }
}

function isForwarded({ onNull }: FieldRule, name: string, value: unknown): boolean {
  if (name === 'stop' && Array.isArray(value) && value.length === 0) return false;
  return value !== null || onNull === 'keep';
}

type ReadField = keyof { [Name in keyof ChatCompletionRequest as string extends Name ? never : Name]: true };

/**
 * The top-level fields of a chat completion request: their checks and their documentation.
 *
 * `nullable` fields may be null. `optional` fields may not; but many clients write null for "not set", so null counts
 * as absent and is not forwarded.
 */
const FIELDS: Readonly<Record<ReadField, FieldRule> & Record<string, FieldRule>> = {
  model: required(
    text({ min: 1, max: 256, expected: 'a model id of 1 to 256 characters' }),
    'A model id from `GET /v1/models`.',
  ),
  messages: required(messages, 'The conversation so far.'),
  stream: nullable(flag, 'Stream the answer as server-sent events.'),
  stream_options: nullable(option.streamOptions),
  temperature: nullable(numberBetween(0, 2), 'Higher values give more varied answers.'),
  top_p: nullable(numberBetween(0, 1), 'Considers only the most likely tokens that add up to this probability.'),
  max_completion_tokens: nullable(integer(1), 'The maximum number of tokens in the answer, reasoning included.'),
  max_tokens: nullable(integer(1), 'The older name of `max_completion_tokens`; every model takes it.'),
  stop: nullable(option.stop, 'Sequences that end the answer.'),
  n: nullable(integer(1, 128), 'The number of answers.'),
  seed: nullable(
    integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    'The same seed gives the same answer, as far as the provider supports it.',
  ),
  frequency_penalty: nullable(numberBetween(-2, 2), 'Positive values reduce repetition of words.'),
  presence_penalty: nullable(numberBetween(-2, 2), 'Positive values reduce repetition of topics.'),
  logit_bias: nullable(option.logitBias, 'Makes tokens more or less likely, by token id.'),
  logprobs: nullable(flag, 'Return the log probability of each token.'),
  top_logprobs: nullable(integer(0, 20), 'How many alternatives to return for each token; needs `logprobs`.'),
  reasoning_effort: nullable(
    oneOfOrForeign('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'),
    'How much the model may reason.',
  ),
  verbosity: nullable(oneOf('low', 'medium', 'high'), 'How detailed the answer should be.'),
  response_format: optional(option.responseFormat, 'The format of the answer.'),
  modalities: nullable(option.modalities, 'What the answer consists of. Not every model supports audio or images.'),
  audio: nullable(option.audioOutput, 'Voice and format of a spoken answer.'),
  prediction: nullable(option.prediction, 'Text that the answer will mostly repeat.'),
  tools: optional(tools, 'For models with the capability `tools`.'),
  tool_choice: optional(toolChoice, 'Whether the model may, must or must not call a tool, or which tool to call.'),
  parallel_tool_calls: optional(flag, 'Whether the model may call several tools in one answer.'),
  functions: older(optional(functions, 'The older form of `tools`.')),
  function_call: older(optional(functionChoice, 'The older form of `tool_choice`.')),
  web_search_options: optional(option.webSearchOptions, 'Let the model search the web, where the provider can.'),
  user: optional(text(), 'Your identifier for the end user, for the provider’s abuse detection.'),
  safety_identifier: nullable(text({ max: 64 }), 'The newer form of `user`.'),
  metadata: nullable(option.metadata, 'Your own labels.'),
  store: nullable(flag, 'Whether the provider may keep the answer.'),
  service_tier: nullable(
    oneOfOrForeign('auto', 'default', 'flex', 'scale', 'priority', 'fast', 'ultrafast'),
    'The provider’s service level, which affects latency and price.',
  ),
  moderation: nullable(option.moderation, 'The provider’s moderation of question and answer.'),
  prompt_cache_key: nullable(text(), 'Requests with the same key share cached prompt prefixes.'),
  prompt_cache_retention: nullable(oneOf('in_memory', '24h'), 'How long the provider keeps the cached prompt.'),
  prompt_cache_options: optional(option.promptCacheOptions, 'What the provider caches.'),
};

/** A map, as a body may contain names of inherited properties. */
export const CHAT_REQUEST_FIELDS: ReadonlyMap<string, FieldRule> = new Map(Object.entries(FIELDS));

const REQUIRED_FIELDS: readonly string[] = Object.keys(FIELDS).filter((name) => FIELDS[name]?.required);

/** OpenAI's request schema. Unknown fields are allowed and are sent to providers that support them. */
export const CHAT_REQUEST_SCHEMA: JsonSchema = {
  title: 'ChatCompletionRequest',
  ...objectSchema(
    FIELDS,
    'OpenAI’s Chat Completions request. A field that the model does not support gets a 400 that names it.',
  ),
};
