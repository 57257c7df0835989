import { createHash } from 'node:crypto';
import type { ChatCompletionRequest } from '../../../upstreams/contract/chat.types.js';
import type { JsonObject } from '../../../upstreams/contract/json.js';
import { isRemovedField } from '../request/block.checks.js';
import type { MessageParam, MessagesRequest } from '../request/messages.types.js';
import { MESSAGES_FIELDS } from '../request/messages-request.js';
import { isOwnTool } from '../request/tool.checks.js';
import { systemMessages, toChatMessages, toMessages } from './chat-messages.js';
import { toChatTools, toResponseFormat } from './chat-tools.js';
import { Losses } from './content-parts.js';

/** "Invalid 'user': string too long. Expected a string with maximum length 64". */
const MAX_USER_LENGTH = 64;

/** Translates a valid request to the inner form. Adds everything that the translation loses to `losses`. */
export function toChatRequest(request: MessagesRequest, losses: Losses): ChatCompletionRequest {
  const { model, max_tokens, temperature, top_p, top_k, stop_sequences: stop, stream } = request;
  const fields: JsonObject = { model, messages: toChatMessages(request, losses) };
  if (max_tokens !== undefined) fields.max_tokens = max_tokens;
  if (stream === true) Object.assign(fields, { stream, stream_options: { include_usage: true } });
  if (temperature != null) fields.temperature = temperature;
  if (top_p != null) fields.top_p = top_p;
  if (top_k != null) fields.top_k = top_k;
  if (stop && stop.length > 0) fields.stop = stop;
  Object.assign(fields, toChatTools(request, losses));
  const effort = toReasoningEffort(request);
  if (effort !== undefined) fields.reasoning_effort = effort;
  const format = toResponseFormat(request);
  if (format) fields.response_format = format;
  const user = request.metadata?.user_id;
  if (user) fields.user = user.length <= MAX_USER_LENGTH ? user : createHash('sha256').update(user).digest('hex');
  // Prices of service tiers are looked up in the inner form.
  if (request.speed === 'fast') fields.service_tier = 'fast';
  dropSteeringFields(request, losses);
  return fields as ChatCompletionRequest;
}

/** Notes fields that only control a provider's servers, and unknown fields. */
function dropSteeringFields(request: MessagesRequest, losses: Losses): void {
  for (const name in request) {
    const isSteering = !MESSAGES_FIELDS.has(name) || STEERING.has(name);
    if (isSteering && hasEffect(request[name]) && !isRemovedField(name)) losses.drop(name);
  }
  for (const name in request.output_config ?? {}) {
    const value = (request.output_config as JsonObject)[name];
    if (name !== 'effort' && name !== 'format' && hasEffect(value)) losses.drop(`output_config.${name}`);
  }
}

const STEERING: ReadonlySet<string> = new Set(['context_management', 'cache_control', 'service_tier']);

function hasEffect(value: unknown): boolean {
  return value != null && value !== false;
}

/** Thinking tokens for each effort, the same as the gateway sends to models that take a budget. */
const BUDGETS: readonly (readonly [effort: string, tokens: number])[] = [
  ['minimal', 1024],
  ['low', 2048],
  ['medium', 8192],
  ['high', 16_384],
  ['xhigh', 32_768],
  ['max', 65_536],
];

/** The API's own default. */
const DEFAULT_EFFORT = 'high';

/** Undefined: the model's default. */
function toReasoningEffort({ thinking, output_config: config }: MessagesRequest): string | undefined {
  if (thinking?.type === 'disabled') return 'none';
  if (config?.effort) return config.effort;
  if (!thinking) return undefined;
  const { budget_tokens: budget } = thinking;
  return typeof budget === 'number' ? effortOfBudget(budget) : DEFAULT_EFFORT;
}

/** The effort with the nearest budget; of two, the higher one. */
function effortOfBudget(budget: number): string {
  let nearest = DEFAULT_EFFORT;
  let least = Number.POSITIVE_INFINITY;
  for (const [effort, tokens] of BUDGETS) {
    const distance = Math.abs(tokens - budget);
    if (distance > least) continue;
    least = distance;
    nearest = effort;
  }
  return nearest;
}

/**
 * Fields that a model which cannot reason may ignore: with adaptive thinking the model decides whether it thinks, and
 * an effort also applies to models that do not think.
 */
export function optionalEffort({ thinking, output_config: config }: MessagesRequest): ReadonlyMap<string, string> {
  if (thinking && thinking.type !== 'adaptive') return NONE;
  return new Map([['reasoning_effort', config?.effort ? 'output_config.effort' : 'thinking']]);
}

const NONE: ReadonlyMap<string, string> = new Map();

/** How an answer shows the reasoning of models other than Claude. */
export type ShownThinking = 'shown' | 'signature only' | 'hidden';

export function shownThinking({ thinking }: MessagesRequest): ShownThinking {
  if (!thinking || thinking.type === 'disabled') return 'hidden';
  return thinking.display === 'omitted' ? 'signature only' : 'shown';
}

/** Fields of the inner form that have another name in the client's request. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['user', 'metadata.user_id'],
  ['stop', 'stop_sequences'],
  ['parallel_tool_calls', 'tool_choice.disable_parallel_tool_use'],
  ['max_completion_tokens', 'max_tokens'],
]);

/** The client's name of a top-level field of the inner form. */
function clientField(field: string, { output_config: config }: MessagesRequest): string {
  if (field === 'reasoning_effort') return config?.effort ? 'output_config.effort' : 'thinking';
  if (field === 'response_format') return config?.format ? 'output_config.format' : 'output_format';
  return NAMES.get(field) ?? field;
}

/** The client's path of a field of the inner form. */
export function clientPath(path: string, request: MessagesRequest): string {
  const [, list, position = '', rest = ''] = /^(messages|tools)\[(\d+)\](.*)$/.exec(path) ?? [];
  if (list === 'messages') return messagePath(Number(position), rest, request);
  if (list === 'tools') return toolPath(Number(position), rest, request);
  return clientField(path, request);
}

/** A part has the same position as its block only in messages that are translated block by block. */
function messagePath(position: number, rest: string, { system, messages }: MessagesRequest): string {
  const losses = new Losses();
  let left = position - (system ? systemMessages(system, '', losses).length : 0);
  if (left < 0) return 'system';
  for (const [index, message] of messages.entries()) {
    left -= toMessages(message, '', losses).length;
    if (left < 0)
      return `messages[${index}]${keepsPositions(message) ? (/^\.content\[\d+\]/.exec(rest)?.[0] ?? '') : ''}`;
  }
  return 'messages';
}

function keepsPositions({ content }: MessageParam): boolean {
  if (!Array.isArray(content)) return false;
  return content.every(({ type, text }) => type === 'image' || (type === 'text' && text !== ''));
}

function toolPath(position: number, rest: string, { tools }: MessagesRequest): string {
  const own = (tools ?? []).flatMap((tool, index) => (isOwnTool(tool) ? [index] : []));
  const field = rest.replace(/^\.function/, '').replace(/^\.parameters/, '.input_schema');
  return `tools[${own[position] ?? position}]${field}`;
}
