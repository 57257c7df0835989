import { parseIfJson } from '../../../json/exact-json.js';
import { objectOf } from '../../contract/json.js';
import type { ProviderCall, UpstreamEvent, UpstreamHeaders } from '../../contract/provider.adapter.js';
import { UpstreamError } from '../../contract/upstream.error.js';
import { refusedPart } from '../anthropic/failure.js';
import { messageIn, refusalCode, upstreamMessage } from '../shared/event-data.js';
import { outputLimitField } from '../shared/request-fields.js';
import { headerOf, retryAfterMs } from '../shared/retry-after.js';

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

/** An exception has its own type of message, or is an event with the exception's name. */
export function isReport({ event }: UpstreamEvent): boolean {
  return event.startsWith('exception:') || event.startsWith('error:') || event.endsWith('Exception');
}

export function reportedFailure({ event, data }: UpstreamEvent, call: ProviderCall): UpstreamError {
  const type = typeOf(event.slice(event.indexOf(':') + 1));
  return failure(STATUS_OF_TYPE.get(type) ?? 502, type, messageIn(parseIfJson(data)), call);
}

function failure(reported: number, type: string, message = '', call: ProviderCall, wait?: number): UpstreamError {
  const isModel = reported === 400 && MODEL_REFUSED.test(message);
  const status = isModel ? 404 : reported;
  const isRefused = status === 400;
  return new UpstreamError({
    status,
    message: upstreamMessage(isModel ? `${message} ${REMEDY}` : message, call),
    param: isRefused ? paramOf(message, call) : null,
    code: isRefused ? refusalCode(message, CONTENT_REFUSED) : undefined,
    refusedPart: isRefused ? refusedPart(message, true) : undefined,
    quotaSpent: status === 429 && (type === 'servicequotaexceeded' || /\bper day\b/i.test(message)),
    retryAfterMs: wait,
    answerRefused: (type.startsWith('model') && ANSWER_REFUSED.test(message)) || undefined,
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

/** The model's name in models.yaml is at fault: it is unknown, or only an inference profile of it can be called. */
const MODEL_REFUSED = /\bon-demand throughput isn.t supported|^the provided model identifier is invalid/i;
const REMEDY = "The target's model in models.yaml must be an id or inference profile that this region has.";

/** "Model produced invalid sequence as part of ToolUse. Please refer to the model tool use troubleshooting guide." */
const ANSWER_REFUSED = /^model produced invalid/i;

const CONTENT_REFUSED = /blocked by (?:our )?content filter|content filtering policy|violates? .{0,40}\bpolicy/i;

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
