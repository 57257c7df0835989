import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import { saysContextTooLong } from '../../contract/context-overflow.js';
import { isObject, type JsonObject, objectsOf, textOf } from '../../contract/json.js';
import type { ProviderCall, UpstreamHeaders } from '../../contract/provider.adapter.js';
import { UpstreamError, type UpstreamFailure } from '../../contract/upstream.error.js';
import { upstreamMessage } from '../shared/event-data.js';
import { outputLimitField } from '../shared/request-fields.js';
import { retryAfterMs } from '../shared/retry-after.js';

export function toError(status: number, headers: UpstreamHeaders, body: unknown, call: ProviderCall): UpstreamError {
  return new UpstreamError(failureOf(status, errorOf(body), call, retryAfterMs(headers)));
}

/** Maps an error in a response of status 200, which replaces the answer or follows its start. */
export function reportedFailure(body: unknown, call: ProviderCall): UpstreamError {
  const error = errorOf(body);
  return new UpstreamError(failureOf(statusOf(error), error, call, undefined));
}

/** `{error: {code, message, status, details}}`, possibly in a list; text if it is not JSON. */
function errorOf(body: unknown): JsonObject {
  const outer: unknown = Array.isArray(body) ? body[0] : body;
  if (typeof outer === 'string') return { message: outer };
  if (!isObject(outer)) return {};
  return isObject(outer.error) ? outer.error : { message: outer.error };
}

const STATUS_OF_WORD: ReadonlyMap<unknown, number> = new Map<unknown, number>([
  ['INVALID_ARGUMENT', 400],
  ['FAILED_PRECONDITION', 400],
  ['OUT_OF_RANGE', 400],
  ['UNAUTHENTICATED', 401],
  ['PERMISSION_DENIED', 403],
  ['NOT_FOUND', 404],
  ['RESOURCE_EXHAUSTED', 429],
  ['INTERNAL', 500],
  ['UNAVAILABLE', 503],
  ['DEADLINE_EXCEEDED', 504],
]);

function statusOf({ code, status }: JsonObject): number {
  if (typeof code === 'number' && code >= 400 && code < 600) return code;
  return STATUS_OF_WORD.get(status) ?? 502;
}

/** The gateway's key, project or location is at fault, not the request. */
const CREDENTIAL_REFUSED =
  /\bAPI[ _]key (?:not (?:valid|found)|expired|is invalid)|location is not supported|not available in your country|enable billing/i;
/** Quotas that do not recover: the limit is zero, or the prepaid credit is spent. */
const QUOTA_SPENT = /\blimit: 0\b|prepayment credits|credits are depleted/i;

function failureOf(status: number, error: JsonObject, call: ProviderCall, waitMs: number | undefined): UpstreamFailure {
  const message = textOf(error.message);
  const text = message ?? '';
  const details = objectsOf(error.details);
  const shown = upstreamMessage(message, call)?.replace(/\bprojects\/[^/\s'"`]+/g, 'projects/[removed]');
  return {
    status,
    message: shown,
    param: status === 400 ? refusedParam(details, text, call.request) : null,
    code: status === 400 && saysContextTooLong(text) ? 'context_length_exceeded' : undefined,
    credentialRefused:
      status === 400 && (CREDENTIAL_REFUSED.test(text) || details.some(({ reason }) => reason === 'API_KEY_INVALID')),
    quotaSpent: status === 429 && QUOTA_SPENT.test(text),
    retryAfterMs: waitMs ?? retryDelay(details, text),
  };
}

/** `retryDelay: "34.4s"` of a `RetryInfo`, or the delay in the message. */
function retryDelay(details: readonly JsonObject[], message: string): number | undefined {
  const [delay = message] = details.flatMap((detail) => textOf(detail.retryDelay) ?? []);
  const seconds = /^(\d+(?:\.\d+)?)s$|retry in (\d+(?:\.\d+)?)s\b/.exec(delay);
  return seconds ? Math.ceil(Number(seconds[1] ?? seconds[2]) * 1000) : undefined;
}

/** The API's fields, lower-case without underscores → OpenAI's. */
const FIELDS: readonly (readonly [theirs: string, ours: string])[] = [
  ['temperature', 'temperature'],
  ['topp', 'top_p'],
  ['stopsequences', 'stop'],
  ['frequencypenalty', 'frequency_penalty'],
  ['presencepenalty', 'presence_penalty'],
  ['seed', 'seed'],
  ['candidatecount', 'n'],
  ['logprobs', 'logprobs'],
  ['responselogprobs', 'logprobs'],
  ['response', 'response_format'],
  ['thinking', 'reasoning_effort'],
  ['toolconfig', 'tool_choice'],
  ['tools', 'tools'],
  ['contents', 'messages'],
  ['systeminstruction', 'messages'],
];

/** The names of fields in messages. */
const NAMED = /\bGenerateContentRequest\.([\w.]+)|\bgeneration_?config\.(\w+)|\bat '([^']+)'/i;

/** The request field that an error names, in its details or its message; null if none. */
function refusedParam(details: readonly JsonObject[], message: string, request: ChatCompletionRequest): string | null {
  const violations = details.flatMap(({ fieldViolations }) => objectsOf(fieldViolations));
  const violated = violations.map(({ field }) => textOf(field));
  const [, ...named] = NAMED.exec(message) ?? [];
  for (const path of [...violated, ...named]) {
    const param = path === undefined ? undefined : paramOf(path, request);
    if (param !== undefined) return param;
  }
  if (/\bpenalty\b/i.test(message)) return request.frequency_penalty != null ? 'frequency_penalty' : 'presence_penalty';
  return null;
}

function paramOf(path: string, request: ChatCompletionRequest): string | undefined {
  const field = path
    .toLowerCase()
    .replaceAll('_', '')
    .replace(/^.*generationconfig\./, '');
  if (field.startsWith('maxoutputtokens')) return outputLimitField(request);
  return FIELDS.find(([theirs]) => field.startsWith(theirs))?.[1];
}
