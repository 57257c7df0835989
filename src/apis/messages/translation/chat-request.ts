import { createHash } from 'node:crypto';
import type { ChatCompletionRequest } from '../../../upstreams/contract/chat.types.js';
import type { JsonObject } from '../../../upstreams/contract/json.js';
import { isRemovedField } from '../request/denied.js';
import type { MessagesRequest } from '../request/messages.types.js';
import { MESSAGES_FIELDS } from '../request/messages-request.js';
import { toChatMessages } from './chat-messages.js';
import { toChatTools } from './chat-tools.js';
import type { Losses } from './losses.js';
import { toReasoningEffort } from './reasoning-effort.js';
import { toResponseFormat } from './response-format.js';

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
