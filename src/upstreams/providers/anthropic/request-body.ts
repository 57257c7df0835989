import { createHash } from 'node:crypto';
import type { JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { claudeAnswerTool, claudeFormat } from '../shared/claude-format.js';
import { hasClaudePrefill } from '../shared/claude-prefill.js';
import { forwardingTest } from '../shared/ignored-fields.js';
import { outputLimit, penalties, stopSequences } from '../shared/request-fields.js';
import { cacheControl } from './content.js';
import { toMessages } from './messages.js';
import { reasoning } from './reasoning.js';
import { isForced, toTools, withAnswerTool } from './tools.js';

/** Used if neither caller nor catalog sets a limit, as the API requires one. */
const DEFAULT_MAX_TOKENS = 4096;

export const isForwarded = forwardingTest([
  'top_k',
  'thinking',
  'safety_identifier',
  'user',
  'cache_control',
  'web_search_options',
]);

/** Contains known fields only, as the API refuses unknown fields. */
export function toRequestBody(call: ProviderCall): JsonObject {
  const { request, upstreamModel, maxOutputTokens } = call;
  const prefilled = hasClaudePrefill(call);
  const { system, turns } = toMessages(request.messages, prefilled);
  const limit = outputLimit(request) ?? maxOutputTokens ?? DEFAULT_MAX_TOKENS;
  const format = claudeFormat(call);
  if (format?.instruction !== undefined) system.push({ type: 'text', text: format.instruction });

  const body: JsonObject = {
    model: upstreamModel,
    max_tokens: limit,
    messages: turns,
    stream: request.stream === true,
  };
  if (system.length > 0) body.system = system;
  Object.assign(body, sampling(call), withAnswerTool(toTools(call, turns), claudeAnswerTool(call)));
  const { thinking, effort } = reasoning(call, { limit, turns, toolForced: isForced(body.tool_choice), prefilled });
  if (thinking) body.thinking = thinking;
  const schema = format?.schema;
  if (effort || schema) {
    body.output_config = { ...(effort && { effort }), ...(schema && { format: { type: 'json_schema', schema } }) };
  }
  const user = request.safety_identifier ?? request.user;
  if (typeof user === 'string' && user !== '') body.metadata = { user_id: toUserId(user) };
  return Object.assign(body, cacheControl(request));
}

function sampling({ request }: ProviderCall): JsonObject {
  const { temperature, top_p, top_k } = request;
  const stop = stopSequences(request);
  const fields: JsonObject = {};
  if (typeof temperature === 'number') fields.temperature = temperature;
  if (typeof top_p === 'number') fields.top_p = top_p;
  if (typeof top_k === 'number') fields.top_k = top_k;
  if (stop) fields.stop_sequences = stop;
  return { ...fields, ...penalties(request) };
}

const MAX_LENGTH = 256;

/** The API must not receive personal data, so email addresses and long ids become their SHA-256. */
function toUserId(user: string): string {
  return user.length <= MAX_LENGTH && !user.includes('@') ? user : createHash('sha256').update(user).digest('hex');
}
