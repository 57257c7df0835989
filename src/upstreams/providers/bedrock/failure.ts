import { parseIfJson } from '../../../json/parse-if-json.js';
import { objectOf } from '../../contract/json.js';
import type { ProviderCall, UpstreamEvent, UpstreamHeaders } from '../../contract/provider.adapter.js';
import { UpstreamError, type UpstreamFailure } from '../../contract/upstream.error.js';
import { refusedPart } from '../anthropic/native-refusals.js';
import { outputLimitField } from '../shared/request-fields.js';
import { headerOf, retryAfterMs } from '../shared/retry-after.js';
import { messageIn, upstreamMessage } from '../shared/upstream-message.js';

/** Exceptions whose status must be inferred: in a stream, or because their own status is wrong. */
const STATUS_OF_TYPE = new Map([
  ['validation', 400],
  ['unrecognizedclient', 403],
  ['accessdenied', 403],
  ['expiredtoken', 403],
  ['invalidsignature', 403],
  ['resourcenotfound', 404],
  ['modeltimeout', 408],
  ['throttling', 429],
  ['modelnotready', 429],
  ['servicequotaexceeded', 429],
  ['modelerror', 502],
  ['modelstreamerror', 502],
  ['internalserver', 500],
  ['internalfailure', 500],
  ['serviceunavailable', 503],
]);

export function toError(status: number, headers: UpstreamHeaders, body: unknown, call: ProviderCall): UpstreamError {
  const type = typeOf(headerOf(headers, 'x-amzn-errortype') ?? objectOf(body).__type);
  return failure(STATUS_OF_TYPE.get(type) ?? status, type, messageIn(body), call, retryAfterMs(headers));
}

export function isReport({ event }: UpstreamEvent): boolean {
  return event.startsWith('exception:') || event.startsWith('error:');
}

export function reportedFailure({ event, data }: UpstreamEvent, call: ProviderCall): UpstreamError {
  const type = typeOf(event.slice(event.indexOf(':') + 1));
  return failure(STATUS_OF_TYPE.get(type) ?? 502, type, messageIn(parseIfJson(data)), call);
}

function failure(status: number, type: string, message = '', call: ProviderCall, wait?: number): UpstreamError {
  const isRefused = status === 400;
  return new UpstreamError({
    status,
    message: upstreamMessage(message, call),
    param: isRefused ? paramOf(message, call) : null,
    code: isRefused ? codeOf(message) : undefined,
    refusedPart: isRefused ? refusedPart(message, true) : undefined,
    quotaSpent: status === 429 && (type === 'servicequotaexceeded' || /\bper day\b/i.test(message)),
    retryAfterMs: wait,
  });
}

/** `ValidationException:http://…` or `com.amazon…#ValidationException` → `validation`. */
function typeOf(name: unknown): string {
  if (typeof name !== 'string') return '';
  const [, type = ''] = /^(?:[^:]*#)?([^:#]*)/.exec(name) ?? [];
  return type
    .trim()
    .toLowerCase()
    .replace(/exception$/, '');
}

const CONTEXT_TOO_LONG =
  /input is too long|prompt is too long|too many (?:input )?tokens|input tokens exceeded|context (?:length|window|limit)|maximum (?:context|input|prompt) length|exceeds? the maximum (?:number of )?(?:input )?tokens/i;
const CONTENT_REFUSED = /blocked by (?:our )?content filter|content filtering policy|violates? .{0,40}\bpolicy/i;

function codeOf(message: string): UpstreamFailure['code'] {
  if (CONTEXT_TOO_LONG.test(message)) return 'context_length_exceeded';
  return CONTENT_REFUSED.test(message) ? 'content_filter' : undefined;
}

/** The request field for the first API field that a message names. */
function paramOf(message: string, { request }: ProviderCall): string | null {
  const fields: readonly (readonly [RegExp, string])[] = [
    [/\btemperature\b/, 'temperature'],
    [/\bfrequency_penalty\b/, 'frequency_penalty'],
    [/\bpresence_penalty\b/, 'presence_penalty'],
    [/\b(?:topP|top_p)\b/, 'top_p'],
    [/\b(?:maxTokens|max_tokens)\b/, outputLimitField(request)],
    [/\b(?:stopSequences|stop_sequences)\b/, 'stop'],
    [/\btoolChoice\b|\btool_choice\b/, 'tool_choice'],
    [/\btoolConfig\b|\btool use\b/, 'tools'],
    [/\boutputConfig\b/, 'response_format'],
    [/\bmessages\b|\bconversation\b/i, 'messages'],
  ];
  return fields.find(([pattern]) => pattern.test(message))?.[1] ?? null;
}
