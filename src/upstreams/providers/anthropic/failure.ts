import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import {
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  objectsOf,
  type ReadonlyJsonObject,
} from '../../contract/json.js';
import type { NativeBody, ReducedBody } from '../../contract/native.body.js';
import type { ProviderCall, UpstreamHeaders } from '../../contract/provider.adapter.js';
import { UpstreamError, type UpstreamFailure } from '../../contract/upstream.error.js';
import { isThinking } from '../shared/claude.js';
import { messageIn, refusalCode, upstreamMessage } from '../shared/event-data.js';
import { outputLimitField } from '../shared/request-fields.js';
import { retryAfterMs } from '../shared/retry-after.js';

export function toError(status: number, headers: UpstreamHeaders, body: unknown, call: ProviderCall): UpstreamError {
  return failureOf(status, messageIn(body), call, retryAfterMs(headers));
}

/** Maps an error within a response of status 200; the status follows from its type. */
export function reportedFailure(body: unknown, call: ProviderCall): UpstreamError {
  const { type } = objectOf(objectOf(body).error);
  return failureOf(STATUS_OF_TYPE.get(type) ?? 502, messageIn(body), call);
}

const STATUS_OF_TYPE: ReadonlyMap<unknown, number> = new Map<unknown, number>([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
]);

/** Account problems that the API reports as a 400. */
const ACCOUNT_REFUSED =
  /credit balance is too low|organization has been disabled|reached your specified (?:API|workspace API) usage limits/i;
const CONTENT_REFUSED = /blocked by (?:our )?content filtering/i;

function failureOf(status: number, message = '', call: ProviderCall, wait?: number): UpstreamError {
  return new UpstreamError({
    status,
    message: upstreamMessage(message, call),
    param: fieldAtFault(message, call.request),
    code: status === 400 ? refusalCode(message, CONTENT_REFUSED) : undefined,
    refusedPart: status === 400 ? refusedPart(message, call.settings.project !== undefined) : undefined,
    quotaSpent: (status === 400 || status === 429) && ACCOUNT_REFUSED.test(message),
    retryAfterMs: wait,
  });
}

/** The API's top-level fields → the caller's. */
const CALLERS_NAMES: ReadonlyMap<string, string> = new Map([
  ['messages', 'messages'],
  ['system', 'messages'],
  ['tools', 'tools'],
  ['tool_choice', 'tool_choice'],
  ['temperature', 'temperature'],
  ['top_p', 'top_p'],
  ['top_k', 'top_k'],
  ['frequency_penalty', 'frequency_penalty'],
  ['presence_penalty', 'presence_penalty'],
  ['stop_sequences', 'stop'],
  ['thinking', 'reasoning_effort'],
  ['metadata', 'user'],
]);

/**
 * The request field that an error message names: the path at its start, or the last name in back quotes, as the second
 * of two exclusive fields can be left out.
 */
function fieldAtFault(message: string, request: ChatCompletionRequest): string | null {
  const [, leading] = /^([a-z_]+)(?:\.[\w.]+)?: /.exec(message) ?? [];
  const quoted = [...message.matchAll(/`([a-z_]+)(?:\.[\w.]+)?`/g)].map(([, field]) => field);
  for (const field of [leading, ...quoted.reverse()]) {
    const name = field === undefined ? undefined : callersName(field, message, request);
    if (name !== undefined) return name;
  }
  return /\beffort level\b/.test(message) ? 'reasoning_effort' : null;
}

function callersName(field: string, message: string, request: ChatCompletionRequest): string | undefined {
  if (field === 'max_tokens') return outputLimitField(request);
  if (field === 'output_config')
    return message.includes('output_config.effort') ? 'reasoning_effort' : 'response_format';
  return CALLERS_NAMES.get(field);
}

const BETAS = 'anthropic-beta';

/** "Unexpected value(s) `…` for the `anthropic-beta` header." (Vertex AI), "invalid beta flag" (Bedrock). */
const BETAS_REFUSED = /invalid beta flag|unexpected value\(s\).*`anthropic-beta` header/is;

/** `isOtherHost`: the upstream is not Anthropic and lacks some features, such as Bedrock and Vertex AI. */
export function refusedPart(message: string, isOtherHost: boolean): UpstreamFailure['refusedPart'] {
  if (THINKING_REFUSED.test(message)) return 'reasoning';
  return isOtherHost && BETAS_REFUSED.test(message) ? 'betas' : undefined;
}

export function withoutRefused(body: NativeBody, { refusedPart, message }: UpstreamFailure): ReducedBody | null {
  if (refusedPart === 'reasoning') return withoutThinking(body);
  return refusedPart === 'betas' ? withoutBetas(body, message ?? '') : null;
}

export function betasOf({ [BETAS]: betas = '' }: NativeBody['headers']): string[] {
  return betas.split(',').flatMap((beta) => beta.trim() || []);
}

/** Without the betas that the message names in back quotes; if there are none, without betas unknown to Bedrock. */
function withoutBetas(body: NativeBody, message: string): ReducedBody | null {
  const betas = betasOf(body.headers);
  const unnamed = betas.filter((beta) => !message.includes(`\`${beta}\``));
  const stored = unnamed.length < betas.length ? unnamed : betas.filter((beta) => BETAS_OF_BEDROCK.has(beta));
  if (stored.length === betas.length) return null;
  const { [BETAS]: _, ...others } = body.headers;
  const headers = stored.length > 0 ? { ...others, [BETAS]: stored.join(',') } : others;
  return { body: { ...body, headers }, leftOut: [BETAS], lasting: [{ refusedPart: 'betas', message }] };
}

/** AWS, "Anthropic Claude Messages API". */
const BETAS_OF_BEDROCK: ReadonlySet<string> = new Set([
  'computer-use-2024-10-22',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'token-efficient-tools-2025-02-19',
  'interleaved-thinking-2025-05-14',
  'output-128k-2025-02-19',
  'dev-full-thinking-2025-05-14',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'effort-2025-11-24',
  'tool-search-tool-2025-10-19',
  'tool-examples-2025-10-29',
]);

/** The API's messages for an invalid signature and for changed thinking. */
const THINKING_REFUSED =
  /invalid `(?:signature|data)` in `(?:redacted_)?thinking`|thinking\.signature: field required|thinking` (?:or `redacted_thinking` )?blocks .*cannot be modified/i;

/**
 * The request without the thinking of earlier turns; null if there is none. A tool loop that began with thinking
 * continues without it, as a budget for thinking requires the blocks.
 */
function withoutThinking(body: NativeBody): ReducedBody | null {
  const { messages } = body.fields;
  if (!Array.isArray(messages)) return null;
  const leftOut = messages.flatMap(pathsOfThinking);
  if (leftOut.length === 0) return null;
  const fields: JsonObject = { ...body.fields, messages: messages.flatMap(spoken) };
  const { thinking } = fields;
  if (isInToolLoop(messages) && isObject(thinking) && thinking.type === 'enabled') delete fields.thinking;
  return { body: { ...body, fields }, leftOut };
}

function pathsOfThinking(message: unknown, at: number): string[] {
  const blocks = hasThinking(message) ? listOf(message.content) : [];
  return blocks.flatMap((block, place) => (isThinking(block) ? [`messages[${at}].content[${place}]`] : []));
}

function hasThinking(message: unknown): message is ReadonlyJsonObject {
  return isObject(message) && message.role === 'assistant' && objectsOf(message.content).some(isThinking);
}

/** The message without its thinking; empty if it has no other content. */
function spoken(message: unknown): unknown[] {
  if (!hasThinking(message)) return [message];
  const content = objectsOf(message.content).filter((block) => !isThinking(block));
  return content.length > 0 ? [{ ...message, content }] : [];
}

function isInToolLoop(messages: readonly unknown[]): boolean {
  return objectsOf(objectOf(messages.at(-1)).content).some(({ type }) => type === 'tool_result');
}
