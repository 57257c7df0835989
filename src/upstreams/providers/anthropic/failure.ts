import { isObject, textOf } from '../../contract/json.js';
import type { ProviderCall, UpstreamHeaders } from '../../contract/provider.adapter.js';
import { UpstreamError, type UpstreamFailure } from '../../contract/upstream.error.js';
import { retryAfterMs } from '../retry-after.js';
import { upstreamMessage } from '../upstream-message.js';
import { fieldAtFault } from './field-at-fault.js';

/** The error for an answer with a status ≥ 400. */
export function refusal(status: number, headers: UpstreamHeaders, body: unknown, call: ProviderCall): UpstreamError {
  return failureOf(status, messageOf(body), call, retryAfterMs(headers));
}

/** The error that an answer with status 200 holds: all that tells its status is its type. */
export function reportedFailure(body: unknown, call: ProviderCall): UpstreamError {
  const error = isObject(body) && isObject(body.error) ? body.error : {};
  return failureOf(STATUS_OF_TYPE.get(error.type) ?? 502, messageOf(body), call);
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

/** What only the account's owner can mend, though the API tells it by a 400. */
const ACCOUNT_REFUSED =
  /credit balance is too low|organization has been disabled|reached your specified (?:API|workspace API) usage limits/i;
const CONTEXT_TOO_LONG = /prompt is too long|exceeds? (?:the )?(?:model'?s? )?context (?:limit|window)/i;
const CONTENT_REFUSED = /blocked by (?:our )?content filtering/i;

function failureOf(status: number, text: string | undefined, call: ProviderCall, wait?: number): UpstreamError {
  const words = text ?? '';
  return new UpstreamError({
    status,
    message: upstreamMessage(text, call),
    param: fieldAtFault(words, call.request),
    code: status === 400 ? refusalCode(words) : undefined,
    quotaSpent: (status === 400 || status === 429) && ACCOUNT_REFUSED.test(words),
    retryAfterMs: wait,
  });
}

function refusalCode(words: string): UpstreamFailure['code'] {
  if (CONTENT_REFUSED.test(words)) return 'content_filter';
  return CONTEXT_TOO_LONG.test(words) ? 'context_length_exceeded' : undefined;
}

/** `{type: "error", error: {type, message}}`, or what stands between the gateway and the API says in its own form. */
function messageOf(body: unknown): string | undefined {
  if (typeof body === 'string') return body;
  if (!isObject(body)) return undefined;
  return isObject(body.error) ? textOf(body.error.message) : textOf(body.message);
}
