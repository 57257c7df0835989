import { type GatewayError, invalidRequest } from '../../../common/gateway.error.js';
import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import type { ReadonlyJsonObject } from '../../contract/json.js';
import { imagePaths } from './citations.js';
import { COMMON_FIELDS } from './request-fields.js';

/** Fields handled by the gateway itself. */
const GATEWAYS_OWN = new Set(['model', 'messages', 'stream', 'stream_options']);
/** Values that request the default behavior, in addition to null, false, 0 and empty values. */
const DEFAULTS: ReadonlyMap<string, readonly unknown[]> = new Map<string, readonly unknown[]>([
  ['n', [1]],
  ['parallel_tool_calls', [true]],
  ['service_tier', ['auto', 'default']],
  ['verbosity', ['medium']],
]);
const MAX_NAMED = 20;
/** Safe in a response header. */
const PRINTABLE = /^[\w.-]{1,64}$/;

/** Returns the test for an API with its own format, from its additional fields and service tiers. */
export function forwardingTest(own: readonly string[], tiers: readonly unknown[] = []): FieldTest {
  const forwarded = new Set<string>([
    ...COMMON_FIELDS,
    'max_tokens',
    'max_completion_tokens',
    'parallel_tool_calls',
    ...own,
  ]);
  return (field, value) => forwarded.has(field) || (field === 'service_tier' && tiers.includes(value));
}

/** Whether a top-level field is sent upstream in some form. */
type FieldTest = (field: string, value: unknown) => boolean;

/** Fields that request something and are not sent upstream, and pictures of earlier answers unless the API takes them. */
export function ignoredFields(request: ReadonlyJsonObject, isForwarded: FieldTest, takesImages = false): string[] {
  const ignored = Object.keys(request).filter((field) => {
    const value = request[field];
    return !isForwarded(field, value) && !GATEWAYS_OWN.has(field) && hasEffect(field, value) && PRINTABLE.test(field);
  });
  // The price depends on it.
  if (ignored.includes('service_tier')) ignored.unshift('service_tier');
  return [...new Set(ignored), ...(takesImages ? [] : imagePaths(request.messages))].slice(0, MAX_NAMED);
}

function hasEffect(field: string, value: unknown): boolean {
  if (!value || DEFAULTS.get(field)?.includes(value)) return false;
  if (typeof value !== 'object') return true;
  if (field === 'modalities') return String(value) !== 'text';
  return Object.keys(value).length > 0;
}

interface Strictness {
  readonly tools: boolean;
  readonly format: boolean;
}

/** Fields that request strict schemas which the model cannot enforce. */
export function lostStrictness(request: ChatCompletionRequest, keeps: Strictness): string[] {
  const { tools = [], response_format: format } = request;
  const lost: string[] = [];
  const hasStrictTool = tools.some((tool) => tool.type === 'function' && tool.function.strict === true);
  if (!keeps.tools && hasStrictTool) lost.push('tools.function.strict');
  if (!keeps.format && format?.type === 'json_schema' && format.json_schema.strict === true) {
    lost.push('response_format.json_schema.strict');
  }
  return lost;
}

/** The error for a part of a valid request that the model or its API does not support. */
export function unsupported(path: string, message: string): GatewayError {
  return invalidRequest('unsupported_value', path, message);
}

/** The error for a content part. `path`: the part's path. */
export function unsupportedPart(path: string, { type }: { readonly type: string }): GatewayError {
  return unsupported(path, `This model does not accept content of the type '${type}'.`);
}

/** The error for an earlier answer that has only audio. `path`: the message's path. */
export function unsupportedAudio(path: string): GatewayError {
  const remedy = "Send the answer's transcript as 'content'.";
  return unsupported(`${path}.audio`, `This model does not accept an earlier answer as audio. ${remedy}`);
}

/** The other fields of OpenAI's format. */
const OPENAIS = [
  ...['audio', 'function_call', 'functions', 'logit_bias', 'logprobs', 'metadata', 'modalities', 'moderation', 'n'],
  ...['parallel_tool_calls', 'prediction', 'prompt_cache_key', 'prompt_cache_options', 'prompt_cache_retention'],
  ...['safety_identifier', 'seed', 'service_tier', 'store', 'top_logprobs', 'user', 'verbosity', 'web_search_options'],
];

/** What servers such as vLLM, llama.cpp, SGLang and TGI read in addition, and what gateways in front of others pass on. */
const SERVERS = {
  sampling: [
    ...['top_k', 'top_a', 'min_p', 'typical_p', 'repetition_penalty', 'repeat_penalty', 'repeat_last_n', 'dry_base'],
    ...['dry_multiplier', 'dry_allowed_length', 'dry_penalty_last_n', 'dry_sequence_breakers', 'xtc_probability'],
    ...['xtc_threshold', 'mirostat', 'mirostat_tau', 'mirostat_eta', 'dynatemp_range', 'dynatemp_exponent', 'samplers'],
    ...['bad_words', 'allowed_token_ids', 'min_tokens', 'ignore_eos', 'stop_token_ids', 'include_stop_str_in_output'],
    ...['skip_special_tokens', 'spaces_between_special_tokens'],
  ],
  structure: [
    ...['guided_json', 'guided_regex', 'guided_choice', 'guided_grammar', 'structured_outputs', 'grammar', 'regex'],
    ...['json_schema', 'ebnf'],
  ],
  prompt: [
    ...['chat_template_kwargs', 'add_generation_prompt', 'continue_final_message', 'documents', 'cache_prompt'],
    ...['truncate_prompt_tokens', 'mm_processor_kwargs', 'truncation', 'safe_prompt'],
  ],
  reasoning: [
    ...['reasoning', 'thinking', 'enable_thinking', 'thinking_budget', 'include_reasoning', 'separate_reasoning'],
    ...['reasoning_format'],
  ],
  priced: ['plugins', 'search_parameters', 'speed'],
};

/**
 * All fields that a server of unknown make receives for models with a price. It may know other names of the output limit
 * or of the number of answers (`n_predict`, `num_return_sequences`, `best_of`), also in other case, which no limit sees.
 */
export const PRICED_FIELDS: readonly string[] = [...COMMON_FIELDS, ...OPENAIS, ...Object.values(SERVERS).flat()];

/** The same at their Responses API. */
export const PRICED_RESPONSES_FIELDS: ReadonlySet<string> = new Set([
  ...['access_programs', 'context_management', 'image', 'include', 'input', 'instructions', 'max_output_tokens'],
  ...['max_tool_calls', 'metadata', 'model', 'moderation', 'parallel_tool_calls', 'prompt_cache_key'],
  ...['prompt_cache_options', 'prompt_cache_retention', 'reasoning', 'safety_identifier', 'service_tier', 'store'],
  ...['stream', 'stream_options', 'temperature', 'text', 'tool_choice', 'tools', 'top_logprobs', 'top_p'],
  ...['truncation', 'user'],
  ...Object.values(SERVERS).flat(),
]);
