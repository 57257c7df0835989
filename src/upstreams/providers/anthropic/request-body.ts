import { createHash } from 'node:crypto';
import type { ResponseFormat } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { claudeSchema } from '../claude-schema.js';
import { takenTest } from '../ignored-fields.js';
import { JSON_INSTRUCTION } from '../json-instruction.js';
import { outputLimit, penalties, stopSequences } from '../request-fields.js';
import { cacheControl } from './content.js';
import { toMessages } from './messages.js';
import { reasoning } from './reasoning.js';
import { isForced, toTools } from './tools.js';

/** Where neither the caller nor the catalog knows a limit, which the API demands. */
const DEFAULT_MAX_TOKENS = 4096;

/** Whether a field is told to the API in some form. */
export const isTaken = takenTest([
  'top_k',
  'thinking',
  'safety_identifier',
  'user',
  'cache_control',
  'web_search_options',
]);

/** The body of a Messages request. It is built anew: the API refuses every field that it does not know. */
export function toRequestBody(call: ProviderCall): JsonObject {
  const { request, upstreamModel, maxOutputTokens } = call;
  const { system, turns } = toMessages(request.messages);
  const limit = outputLimit(request) ?? maxOutputTokens ?? DEFAULT_MAX_TOKENS;
  const format = outputFormat(request.response_format);
  if (format === 'instruction') system.push({ type: 'text', text: JSON_INSTRUCTION });

  const body: JsonObject = {
    model: upstreamModel,
    max_tokens: limit,
    messages: turns,
    stream: request.stream === true,
  };
  if (system.length > 0) body.system = system;
  Object.assign(body, sampling(call), toTools(request, turns));
  const { thinking, effort } = reasoning(call, limit, turns, isForced(body.tool_choice));
  if (thinking) body.thinking = thinking;
  if (effort || typeof format === 'object') {
    body.output_config = { ...(effort && { effort }), ...(typeof format === 'object' && { format }) };
  }
  const user = request.safety_identifier ?? request.user;
  if (typeof user === 'string' && user !== '') body.metadata = { user_id: toUserId(user) };
  return Object.assign(body, cacheControl(request));
}

/** The sampling fields that the caller set. */
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

/** The `output_config.format` of a response format; `instruction` where only words can ask for JSON. */
function outputFormat(format: ResponseFormat | undefined): JsonObject | 'instruction' | undefined {
  if (format?.type === 'json_object') return 'instruction';
  if (format?.type !== 'json_schema') return undefined;
  const { schema } = format.json_schema;
  return schema ? { type: 'json_schema', schema: claudeSchema(schema) } : 'instruction';
}

const LONGEST = 256;

/** The caller's id of its user. The API wants no personal data: an address, or what is too long, becomes its SHA-256. */
function toUserId(user: string): string {
  return user.length <= LONGEST && !user.includes('@') ? user : createHash('sha256').update(user).digest('hex');
}
