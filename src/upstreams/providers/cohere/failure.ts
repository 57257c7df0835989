import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import { type JsonObject, textOf } from '../../contract/json.js';
import type { ProviderCall, UpstreamHeaders } from '../../contract/provider.adapter.js';
import { UpstreamError } from '../../contract/upstream.error.js';
import { messageIn, refusalCode, upstreamMessage } from '../shared/event-data.js';
import { outputLimitField } from '../shared/request-fields.js';
import { retryAfterMs } from '../shared/retry-after.js';

export function toError(status: number, headers: UpstreamHeaders, body: unknown, call: ProviderCall): UpstreamError {
  return failureOf(status, messageIn(body), call, retryAfterMs(headers));
}

/** Maps an error that a response of status 200 reports as its finish reason. */
export function reportedFailure({ finish_reason, error, error_type }: JsonObject, call: ProviderCall): UpstreamError {
  return failureOf(statusOf(finish_reason, error_type), textOf(error), call);
}

function statusOf(reason: unknown, type: unknown): number {
  if (type === 'TOO_MANY_TOKENS') return 400;
  return reason === 'TIMEOUT' ? 504 : 502;
}

const CONTENT_REFUSED = /\bcontent filter|\bblocked (?:output|content|input)\b/i;
/** Limits that last longer than a minute. */
const QUOTA_SPENT = /\bcalls ?\/ ?month\b|\bper month\b|\bmonthly\b|\bmaximum billing reached\b/i;

function failureOf(status: number, message = '', call: ProviderCall, wait?: number): UpstreamError {
  const isRefused = status === 400 || status === 422;
  return new UpstreamError({
    status,
    message: upstreamMessage(message, call),
    param: isRefused ? fieldAtFault(message, call.request) : null,
    code: isRefused ? refusalCode(message, CONTENT_REFUSED) : undefined,
    quotaSpent: status === 429 && QUOTA_SPENT.test(message),
    retryAfterMs: wait,
  });
}

/** Field names in the API's messages → the caller's; the first match counts. */
const FIELDS: readonly (readonly [RegExp, string])[] = [
  [/\btemperature\b/, 'temperature'],
  [/\bfrequency_penalty\b/, 'frequency_penalty'],
  [/\bpresence_penalty\b/, 'presence_penalty'],
  [/\bstop_sequences\b/, 'stop'],
  [/(?:^|: )['"`]?p['"`]? (?:must|is|cannot)\b/, 'top_p'],
  [/(?:^|: )['"`]?k['"`]? (?:must|is|cannot)\b/, 'top_k'],
  [/\bseed\b/, 'seed'],
  [/\b(?:thinking|token_budget)\b/, 'reasoning_effort'],
  [/\b(?:response_format|json_schema)\b|^schema must\b/, 'response_format'],
  [/\btool_choice\b/, 'tool_choice'],
  [/\btool (?:call )?ids?\b|\btool message\b/, 'messages'],
  [/\btools?\b/, 'tools'],
  [/\b(?:messages?|image|images|role|turn)\b/, 'messages'],
];

function fieldAtFault(message: string, request: ChatCompletionRequest): string | null {
  if (/\bmax[_ ]tokens\b/.test(message)) return outputLimitField(request);
  return FIELDS.find(([pattern]) => pattern.test(message))?.[1] ?? null;
}
