import type { ChatCompletionRequest, ResponseFormat } from '../../contract/chat.types.js';
import { isObject, type JsonObject, withoutNulls } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { forwardingTest } from '../shared/ignored-fields.js';
import { outputLimit, penalties, stopSequences } from '../shared/request-fields.js';
import { supportedEffort } from '../shared/requested-tools.js';
import { toMessages } from './messages.js';
import { toolNames, toTools } from './tools.js';

export const isForwarded = forwardingTest([
  'top_k',
  'k',
  'seed',
  'thinking',
  'documents',
  'citation_options',
  'safety_mode',
  'logprobs',
]);

/** Contains known fields only. */
export function toRequestBody(call: ProviderCall): JsonObject {
  const { request, upstreamModel } = call;
  const names = toolNames(request);
  const format = responseFormat(request.response_format);
  const thinking = thinkingOf(call);
  const { documents, citation_options, safety_mode } = request;
  return {
    model: upstreamModel,
    messages: toMessages(request.messages, names),
    stream: request.stream === true,
    ...sampling(request),
    ...toTools(request, names),
    ...(format && { response_format: format }),
    ...(thinking && { thinking }),
    // Fields of the API that OpenAI's format does not have.
    ...withoutNulls({ documents, citation_options, safety_mode }),
  };
}

/** `p` of V2ChatRequest in Cohere's SDK: "min value of `0.01`, max value of `0.99`"; 1 is omitted. */
const MIN_P = 0.01;
const MAX_P = 0.99;

/** The API refuses two penalties, even if 0. */
function sampling(request: ChatCompletionRequest): JsonObject {
  const { temperature, top_p, seed } = request;
  const limit = outputLimit(request);
  const stop = stopSequences(request);
  const topK = request.top_k ?? request.k;
  const fields: JsonObject = {};
  if (typeof limit === 'number') fields.max_tokens = limit;
  if (typeof temperature === 'number') fields.temperature = temperature;
  if (typeof top_p === 'number' && top_p < 1) fields.p = Math.min(Math.max(top_p, MIN_P), MAX_P);
  if (typeof topK === 'number') fields.k = topK;
  if (typeof seed === 'number') fields.seed = Math.abs(seed);
  if (request.logprobs === true) fields.logprobs = true;
  if (stop) fields.stop_sequences = stop;
  return { ...fields, ...penalties(request) };
}

/** The API's JSON mode takes an optional schema. */
function responseFormat(format: ResponseFormat | undefined): JsonObject | undefined {
  if (format?.type === 'json_object') return { type: 'json_object' };
  if (format?.type !== 'json_schema') return undefined;
  const { schema } = format.json_schema;
  return { type: 'json_object', ...(schema && { json_schema: schema }) };
}

/** Thinking budgets in tokens; higher efforts have none. */
const BUDGETS = new Map([
  ['minimal', 1024],
  ['low', 2048],
  ['medium', 8192],
]);
/** Thinking counts against the output limit and gets at most this share. */
const THOUGHTS_SHARE = 0.8;
/** Models that do not think and may refuse `thinking`. */
const NEVER_THINKS = /^(?:command-r|command-a-(?:03-2025|vision|translate)|(?:c4ai-)?aya)/;

/** `reasoning_effort` in the API's form: on or off, with a budget. The API's own `thinking` takes precedence. */
function thinkingOf(call: ProviderCall): JsonObject | undefined {
  const { request, upstreamModel } = call;
  if (isObject(request.thinking)) return request.thinking;
  const effort = supportedEffort(call);
  if (!effort) return undefined;
  if (effort === 'none') return NEVER_THINKS.test(upstreamModel) ? undefined : { type: 'disabled' };
  const budget = budgetOf(effort, outputLimit(request));
  return { type: 'enabled', ...(budget !== undefined && { token_budget: budget }) };
}

function budgetOf(effort: string, limit: number | undefined): number | undefined {
  const budget = BUDGETS.get(effort);
  if (budget === undefined || limit === undefined) return budget;
  return Math.max(1, Math.min(budget, Math.floor(limit * THOUGHTS_SHARE)));
}
