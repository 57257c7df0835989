import { createHash } from 'node:crypto';
import type { EntryKeys } from '../../../config/upstream-protocol.js';
import { isObject, type JsonObject } from '../../contract/json.js';
import type { NativeBody } from '../../contract/native.body.js';
import type { ProviderCall, ProviderRequest } from '../../contract/provider.adapter.js';
import {
  adaptiveThinking,
  BUDGETS,
  claudeAnswerTool,
  claudeFormat,
  claudeThinking,
  type GuidedThinking,
  hasClaudePrefill,
  isThinking,
  MIN_BUDGET,
  ownThinking,
} from '../shared/claude.js';
import { forwardingTest } from '../shared/ignored-fields.js';
import { outputLimit, penalties, stopSequences } from '../shared/request-fields.js';
import type { Turn } from '../shared/turns.js';
import { cacheControl, limitMarks, toMessages } from './messages.js';
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
  const answer = claudeAnswerTool(call);
  const instruction = format?.instruction ?? answer?.instruction;
  if (instruction !== undefined) system.push({ type: 'text', text: instruction });

  const body: JsonObject = {
    model: upstreamModel,
    max_tokens: limit,
    messages: turns,
    stream: request.stream === true,
  };
  if (system.length > 0) body.system = system;
  Object.assign(body, sampling(call), withAnswerTool(toTools(call, turns), answer));
  const { thinking, effort } = reasoning(call, { limit, turns, toolForced: isForced(body.tool_choice), prefilled });
  if (thinking) body.thinking = thinking;
  const schema = format?.schema;
  if (effort || schema) {
    body.output_config = { ...(effort && { effort }), ...(schema && { format: { type: 'json_schema', schema } }) };
  }
  const user = request.safety_identifier ?? request.user;
  if (typeof user === 'string' && user !== '') body.metadata = { user_id: toUserId(user) };
  return limitMarks(Object.assign(body, cacheControl(request)));
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

interface Circumstances {
  limit: number;
  turns: readonly Turn<JsonObject>[];
  toolForced: boolean;
  /** Whether the conversation ends with the beginning of the answer. */
  prefilled: boolean;
}

/** Thinking counts against the output limit and gets at most this share. */
const THOUGHTS_SHARE = 0.8;

/**
 * `reasoning_effort` in the model's form; the API's own `thinking` field takes precedence. Thinking is disabled if it
 * is impossible: up to 4.7 if a tool is forced; for models with a budget also if the limit leaves no room, the answer
 * is prefilled, or the client dropped the first thoughts of a tool loop.
 */
function reasoning(call: ProviderCall, { limit, turns, toolForced, prefilled }: Circumstances): GuidedThinking {
  const { reasoning_effort: required, thinking } = call.request;
  const model = claudeThinking(call);
  if (isObject(thinking)) return ownThinking(model, thinking, required ?? undefined);
  if (!required) return {};
  if (model.form === 'adaptive') {
    const { thinking, ...guide } = adaptiveThinking(model, required);
    return toolForced && !model.withForcedTool ? guide : { thinking, ...guide };
  }
  if (required === 'none') return {};
  if (limit <= MIN_BUDGET || toolForced || prefilled || lostThoughts(turns)) return {};
  return { thinking: { type: 'enabled', budget_tokens: budgetOf(required, limit) } };
}

function budgetOf(required: string, limit: number): number {
  return Math.max(MIN_BUDGET, Math.min(BUDGETS.get(required) ?? MIN_BUDGET, Math.floor(limit * THOUGHTS_SHARE)));
}

/** Whether the conversation is in a tool loop that does not start with signed thoughts. */
function lostThoughts(turns: readonly Turn<JsonObject>[]): boolean {
  const question = turns.findLastIndex(
    ({ role, content }) => role === 'user' && content.every(({ type }) => type !== 'tool_result'),
  );
  const first = turns[question + 1]?.content[0];
  return first !== undefined && !isThinking(first);
}

/** Used if the client sends none (platform.claude.com, "API versioning"). */
const API_VERSION = '2026-10-21';
/** The newest version that accepts sampling fields, from models that still have them. */
const VERSION_WITH_SAMPLING = '2023-06-01';
const SAMPLING = ['temperature', 'top_p', 'top_k'];
const VERTEX_VERSION = 'vertex-2023-10-16';

/** Vertex AI: the project and its location. */
export const ENTRY_KEYS: EntryKeys = { project: { requiredWith: 'google' }, location: { requiredWith: 'google' } };

/**
 * The request to Anthropic's API, or to Claude on Vertex AI if the upstream has a project. Vertex AI has the model in
 * the path and the version in the body (platform.claude.com, "Claude on Vertex AI").
 */
export function toEndpoint(call: ProviderCall, body: JsonObject, headers: NativeBody['headers'] = {}): ProviderRequest {
  const { project } = call.settings;
  if (project === undefined) {
    return {
      method: 'POST',
      path: '/v1/messages',
      headers: { 'anthropic-version': versionFor(body), ...headers },
      body,
    };
  }
  const { model: _, ...rest } = body;
  const { 'anthropic-version': __, ...others } = headers;
  const operation = call.request.stream === true ? 'streamRawPredict' : 'rawPredict';
  return {
    method: 'POST',
    path: `${vertexModels(call, project)}/${modelId(call.upstreamModel)}:${operation}`,
    headers: others,
    body: { anthropic_version: VERTEX_VERSION, ...rest },
  };
}

function versionFor(body: JsonObject): string {
  return SAMPLING.some((field) => body[field] !== undefined) ? VERSION_WITH_SAMPLING : API_VERSION;
}

/** The same for counting tokens. Vertex AI has a separate model for this, and the counted model in the body. */
export function toCountEndpoint(call: ProviderCall, { fields, headers }: NativeBody): ProviderRequest {
  const { project } = call.settings;
  const model = call.upstreamModel;
  const request = toEndpoint(call, { ...fields, model }, headers);
  if (project === undefined) return { ...request, path: '/v1/messages/count_tokens' };
  return {
    ...request,
    path: `${vertexModels(call, project)}/count-tokens:rawPredict`,
    body: { ...request.body, model },
  };
}

function vertexModels({ settings: { location = 'global' } }: ProviderCall, project: string): string {
  const place = `projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(location)}`;
  return `/v1/${place}/publishers/anthropic/models`;
}

/** `claude-sonnet-4-5@20250929`, the form of Anthropic's SDK. */
function modelId(model: string): string {
  return encodeURIComponent(model).replaceAll('%40', '@');
}
