import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import { isObject, type JsonObject, withoutNulls } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { fieldPicker } from '../openai/field-rule.js';
import { openAiEfforts } from '../openai/reasoning.js';
import { hasFunctionTools, withoutTools } from '../openai/tools.js';
import { nearestEffort } from '../shared/nearest-effort.js';
import { outputLimit } from '../shared/request-fields.js';
import { toMessages } from './messages.js';
import { toolChoice, toTools } from './tools.js';
import { refuseUnsupported } from './unsupported.js';

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
export function toRequestBody({ request, upstreamModel, reasonsWithoutTools }: ProviderCall): JsonObject {
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
  const reasoning = reasoningOf(request, openAiEfforts(upstreamModel));
  if (reasoning) body.reasoning = reasoning;
  const text = textConfig(request);
  if (text) body.text = text;
  const offered = toTools(request);
  if (offered.length > 0) body.tools = offered;
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
function reasoningOf(
  { reasoning_effort: asked, reasoning }: ChatCompletionRequest,
  levels: readonly string[] = [],
): JsonObject | undefined {
  const own = isObject(reasoning) ? withReasoningFields(reasoning) : {};
  const effort = asked != null && levels.length > 0 ? nearestEffort(asked, levels) : asked;
  const chosen = { ...own, ...(effort != null && { effort }) };
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
