import type { JsonObject } from '../../contract/json.js';
import type { ProviderCall, UpstreamHeaders } from '../../contract/provider.adapter.js';
import { UpstreamError, type UpstreamFailure } from '../../contract/upstream.error.js';
import { refusalCode, upstreamMessage } from '../shared/event-data.js';
import { outputLimitField } from '../shared/request-fields.js';
import { retryAfterMs, waitInMessage } from '../shared/retry-after.js';
import { type Dialect, type ErrorFacts, errorFacts } from './dialect.js';

/** The parts of a dialect that describe its errors. */
export type FailureReading = Pick<Dialect, 'renames' | 'errorBody' | 'refineFailure'> & {
  readonly outputLimit: string;
};

export function toError(
  status: number,
  headers: UpstreamHeaders,
  body: unknown,
  call: ProviderCall,
  reading: FailureReading,
): UpstreamError {
  const facts = factsOf(body, reading);
  const { written } = facts;
  if (written !== undefined && call.watch) call.watch.unread = () => written;
  return failureOf(status, facts, call, reading, retryAfterMs(headers));
}

/** Throws if a response of status 200, or an event of it, reports an error. `isError`: it certainly does. */
export function throwReported(body: JsonObject, call: ProviderCall, dialect: Dialect, isError = false): void {
  const error = dialect.errorOf ? dialect.errorOf(body) : body.error;
  if (error || isError) throw reportedFailure(error ? { ...body, error } : body, call, dialect);
}

/** Maps an error in a response of status 200, which replaces the answer or follows its start. */
export function reportedFailure(error: unknown, call: ProviderCall, reading: FailureReading): UpstreamError {
  const facts = factsOf(error, reading);
  return failureOf(facts.status ?? statusByText(facts), facts, call, reading);
}

function factsOf(body: unknown, { errorBody }: FailureReading): ErrorFacts {
  return errorFacts(errorBody ? errorBody(body) : body);
}

function failureOf(
  status: number,
  facts: ErrorFacts,
  call: ProviderCall,
  reading: FailureReading,
  wait?: number,
): UpstreamError {
  const { code = '', type = '', message = '' } = facts;
  const text = `${code} ${type} ${message}`;
  const failure: UpstreamFailure = {
    status,
    message: upstreamMessage(facts.message, call),
    param: callersParam(facts.param, call, reading),
    paramIsStructured: facts.param !== undefined,
    code: status === 400 || status === 422 ? refusalCode(text, CONTENT_REFUSED) : undefined,
    quotaSpent: status === 429 && QUOTA_SPENT.test(text),
    retryAfterMs: wait ?? (status === 429 ? waitInMessage(message) : undefined),
  };
  return new UpstreamError(reading.refineFailure?.(failure, facts) ?? failure);
}

const QUOTA_SPENT =
  /insufficient[ _](?:quota|balance|credits?)|billing_hard_limit|exceeded your current quota|all available credits|spending limit/i;
const CONTENT_REFUSED = /\bcontent_filter|content_policy_violation|moderation_blocked|ResponsibleAIPolicyViolation/i;

/** Error types and codes → status; the first match counts. */
const STATUS_BY_TEXT: readonly (readonly [RegExp, number])[] = [
  [/insufficient_quota|rate_limit|too_many_requests|\brequests\b|\btokens\b/, 429],
  [/overloaded|unavailable|over_capacity|capacity_exceeded/, 503],
  [/timeout/, 504],
  [/authentication|invalid_api_key/, 401],
  [/permission/, 403],
  [/not_found/, 404],
  [/invalid_|_policy|image|context_length|content_filter|tool_use_failed/, 400],
];

/** An error that names a field is the request's. */
function statusByText({ code = '', type = '', param }: ErrorFacts): number {
  const text = `${type} ${code}`.toLowerCase();
  return STATUS_BY_TEXT.find(([pattern]) => pattern.test(text))?.[1] ?? (param === undefined ? 502 : 400);
}

function callersParam(param: string | undefined, { request }: ProviderCall, reading: FailureReading): string | null {
  if (param === undefined) return null;
  if (param === reading.outputLimit && request[param] == null) return outputLimitField(request);
  for (const [ours, theirs] of Object.entries(reading.renames ?? {})) if (param === theirs) return ours;
  return param;
}
