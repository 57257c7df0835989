import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import { objectOf } from '../../contract/json.js';
import type { ProviderCall, UpstreamHeaders } from '../../contract/provider.adapter.js';
import { UpstreamError } from '../../contract/upstream.error.js';
import { outputLimitField } from '../shared/request-fields.js';
import { retryAfterMs } from '../shared/retry-after.js';
import { messageIn, refusalCode, upstreamMessage } from '../shared/upstream-message.js';
import { refusedPart } from './native-refusals.js';

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
const CONTEXT_TOO_LONG = /prompt is too long|exceeds? (?:the )?(?:model'?s? )?context (?:limit|window)/i;
const CONTENT_REFUSED = /blocked by (?:our )?content filtering/i;

function failureOf(status: number, message = '', call: ProviderCall, wait?: number): UpstreamError {
  return new UpstreamError({
    status,
    message: upstreamMessage(message, call),
    param: fieldAtFault(message, call.request),
    code: status === 400 ? refusalCode(message, CONTENT_REFUSED, CONTEXT_TOO_LONG) : undefined,
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
