import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import { isObject, type JsonObject, withoutNulls } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { fieldPicker } from '../openai/dialect.js';
import { openAiEfforts } from '../openai/request.js';
import { hasFunctionTools, withoutTools } from '../openai/tools.js';
import { unsupported } from '../shared/ignored-fields.js';
import { outputLimit, outputLimitField } from '../shared/request-fields.js';
import { supportedEffort } from '../shared/requested-tools.js';
import { toMessages } from './messages.js';
import { toolChoice, toTools } from './tools.js';

/** Fields with the same name and meaning in both formats; the API refuses unknown fields. */
const SHARED = [
  'metadata',
  'moderation',
  'parallel_tool_calls',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'safety_identifier',
  'service_tier',
  'temperature',
  'top_p',
  'user',
] as const;

const TRANSLATED = [
  'logprobs',
  'max_completion_tokens',
  'max_tokens',
  'reasoning',
  'reasoning_effort',
  'response_format',
  'store',
  'tool_choice',
  'tools',
  'top_logprobs',
  'verbosity',
  'web_search_options',
];
const TAKEN = new Set<string>([...SHARED, ...TRANSLATED]);

export function isForwarded(field: string): boolean {
  return TAKEN.has(field);
}

/** Parts of the request are passed on by reference and never changed. */
export function toRequestBody(call: ProviderCall): JsonObject {
  const { request, upstreamModel, reasonsWithoutTools } = call;
  refuseUnsupported(request);
  const stream = request.stream === true;
  const body: JsonObject = {
    model: upstreamModel,
    input: toMessages(request.messages),
    // The default is true here, but false in Chat Completions.
    store: request.store === true,
    stream,
  };
  for (const field of SHARED) if (request[field] != null) body[field] = request[field];
  const limit = outputLimit(request);
  if (limit !== undefined) body.max_output_tokens = limit;
  const options = stream ? request.stream_options : null;
  if (options?.include_obfuscation != null) {
    body.stream_options = { include_obfuscation: options.include_obfuscation };
  }
  const reasoning = reasoningOf(call);
  if (reasoning) body.reasoning = reasoning;
  const text = textConfig(request);
  if (text) body.text = text;
  const offered = toTools(request);
  if (offered.length > 0) body.tools = offered;
  if (call.maxHostedCalls !== null) body.max_tool_calls = call.maxHostedCalls.usual;
  if (request.tool_choice != null) body.tool_choice = toolChoice(request.tool_choice);
  if (offered.length === 0 && request.tools) withoutTools(body);

  const include: string[] = [];
  // "Encrypted content is not supported with this model", so it is only requested from models that certainly reason.
  const reasons = reasoning?.effort === undefined ? reasonsWithoutTools === 'always' : reasoning.effort !== 'none';
  if (reasons && hasFunctionTools(request)) include.push('reasoning.encrypted_content');
  if (request.logprobs === true) {
    include.push('message.output_text.logprobs');
    if (request.top_logprobs != null) body.top_logprobs = request.top_logprobs;
  }
  if (include.length > 0) body.include = include;
  return body;
}

/** `Reasoning` of the package openai. */
const withReasoningFields = fieldPicker({ only: ['context', 'effort', 'generate_summary', 'mode', 'summary'] });

/** The effort, and a summary if the caller requests one in this API's format (`reasoning: {summary}`). */
function reasoningOf(call: ProviderCall): JsonObject | undefined {
  const { reasoning } = call.request;
  const own = isObject(reasoning) ? withReasoningFields(reasoning) : {};
  const effort = supportedEffort(call, openAiEfforts(call.upstreamModel));
  const chosen = { ...own, ...(effort !== undefined && { effort }) };
  return Object.keys(chosen).length > 0 ? chosen : undefined;
}

function textConfig({ response_format: format, verbosity }: ChatCompletionRequest): JsonObject | undefined {
  const text: JsonObject = {};
  if (format?.type === 'json_schema') {
    const { name, description, strict, schema = {} } = format.json_schema;
    text.format = { type: 'json_schema', ...withoutNulls({ name, description, strict }), schema };
  } else if (format) {
    text.format = { type: format.type };
  }
  if (verbosity != null) text.verbosity = verbosity;
  return Object.keys(text).length > 0 ? text : undefined;
}

/** A request without fields that its API refuses, and their names. */
export interface ReducedRequest {
  readonly request: ChatCompletionRequest;
  readonly leftOut: readonly string[];
}

/** Chat Completions fields that the API does not have, with a test for values with an effect. */
const LACKING: readonly (readonly [field: string, says: (value: unknown) => boolean])[] = [
  ['stop', () => true],
  ['n', (value) => value !== 1],
  ['frequency_penalty', (value) => value !== 0],
  ['presence_penalty', (value) => value !== 0],
  ['seed', () => true],
  ['logit_bias', (value) => Object.keys(value as object).length > 0],
  ['prediction', () => true],
  ['audio', () => true],
  ['modalities', (value) => Array.isArray(value) && value.includes('audio')],
];

/** "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16". */
const MIN_OUTPUT_TOKENS = 16;

/** The first field or content part of a request that the Responses API does not support. */
export function unsupportedField(request: ChatCompletionRequest): string | undefined {
  for (const [field, says] of LACKING) {
    const value = request[field];
    if (value !== undefined && value !== null && says(value)) return field;
  }
  const limit = outputLimit(request);
  return limit !== undefined && limit < MIN_OUTPUT_TOKENS ? outputLimitField(request) : audioPart(request);
}

function refuseUnsupported(request: ChatCompletionRequest): void {
  const field = unsupportedField(request);
  if (field === undefined) return;
  const remedy = /^max/.test(field) ? `Set it to ${MIN_OUTPUT_TOKENS} or more` : 'Leave it out';
  const message = `This model's API cannot serve '${field}' in this request. ${remedy}, or choose another model.`;
  throw unsupported(field, message);
}

/** Fields that only shape the answer, so that a call can be served without them. */
const DISPENSABLE = ['stop', 'frequency_penalty', 'presence_penalty', 'seed', 'logit_bias', 'prediction'];

/** For calls that no other API serves: without the dispensable fields, and with the lowest limit that the API takes. */
export function withoutLacking(request: ChatCompletionRequest): ReducedRequest {
  const reduced = without(request, DISPENSABLE);
  const limit = outputLimit(request);
  if (limit === undefined || limit >= MIN_OUTPUT_TOKENS) return reduced;
  const field = outputLimitField(request);
  return { request: { ...reduced.request, [field]: MIN_OUTPUT_TOKENS }, leftOut: [...reduced.leftOut, field] };
}

/**
 * "Unsupported parameter: 'temperature' is not supported with this model" while it reasons; 1 is accepted
 * (BerriAI/litellm#42523).
 */
export function withoutSampling(request: ChatCompletionRequest): ReducedRequest {
  const { temperature, top_p, logprobs } = request;
  return without(request, [
    ...((temperature ?? 1) === 1 ? [] : ['temperature']),
    ...((top_p ?? 1) === 1 ? [] : ['top_p']),
    ...(logprobs === true ? ['logprobs', 'top_logprobs'] : []),
  ]);
}

function without(request: ChatCompletionRequest, fields: readonly string[]): ReducedRequest {
  const leftOut = fields.filter((field) => request[field] != null);
  if (leftOut.length === 0) return { request, leftOut };
  const others = { ...request };
  for (const field of leftOut) delete others[field];
  return { request: others, leftOut };
}

function audioPart({ messages }: ChatCompletionRequest): string | undefined {
  for (const [position, message] of messages.entries()) {
    if (message.role === 'assistant' && message.audio != null) return `messages[${position}].audio`;
    if (!Array.isArray(message.content)) continue;
    const index = message.content.findIndex(({ type }) => type === 'input_audio');
    if (index >= 0) return `messages[${position}].content[${index}]`;
  }
  return undefined;
}
