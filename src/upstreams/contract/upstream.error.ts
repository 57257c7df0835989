import { GatewayError } from '../../common/gateway.error.js';

export type RetryAdvice = 'retry' | 'other-target' | 'never';

/** Facts about a failed upstream call, read by an adapter or the upstream client. */
export interface UpstreamFailure {
  /** The upstream's status, or 504: one of our clocks expired; 0: no connection; 502: an unreadable response. */
  status: number;
  /** The upstream's own message; the caller sees it only for a 400 or 422. */
  message?: string | undefined;
  param?: string | null | undefined;
  /** Whether the upstream named the field separately, not only in its message, which may quote the request. */
  paramIsStructured?: boolean | undefined;
  /** Set if the upstream says so; any other 400 counts as `invalid_value`. */
  code?: 'context_length_exceeded' | 'content_filter' | undefined;
  /**
   * A refused part that a native request can be sent without: `reasoning` of earlier turns that the upstream cannot
   * verify, unknown `betas` (features), or the path of an unknown field.
   */
  refusedPart?: string | undefined;
  /** A 429 because the credential's quota is spent, so that waiting does not help. */
  quotaSpent?: boolean | undefined;
  /** A 400 because of the credential. */
  credentialRefused?: boolean | undefined;
  /** The gateway does not trust the upstream's certificate. */
  certificateRefused?: boolean | undefined;
  /** The call's total clock ran out. */
  isOutOfTime?: boolean | undefined;
  /** The stream ended without a finish reason. */
  incomplete?: boolean | undefined;
  retryAfterMs?: number | undefined;
  /** The gateway has already retried, so the client should not. */
  isLast?: boolean | undefined;
  /** For the log only. */
  requestId?: string | undefined;
}

interface CallerError {
  status: number;
  code: string;
  type?: string;
  message: string;
  param?: string | null;
  headers?: Record<string, string>;
  advice: RetryAdvice;
}

/** A failed upstream call, as the caller's error. */
export class UpstreamError extends GatewayError {
  readonly advice: RetryAdvice;

  constructor(
    readonly failure: UpstreamFailure,
    options?: ErrorOptions,
  ) {
    const { status, code, type = 'server_error', message, param = null, headers, advice } = callerError(failure);
    const isHopeless = failure.isLast === true || (failure.retryAfterMs ?? 0) > SDK_PATIENCE_MS;
    const isSpent = isHopeless && advice === 'retry' && status !== 429;
    super(status, { message, type, param, code }, isSpent ? { ...headers, ...NO_RETRY } : headers, options);
    this.name = 'UpstreamError';
    this.advice = advice;
  }
}

/** A response that does not follow the API's format. */
export function unreadable(what: string, options?: ErrorOptions): UpstreamError {
  return new UpstreamError({ status: 502, message: what }, options);
}

export function upstreamIncomplete(): UpstreamError {
  return new UpstreamError({ status: 502, incomplete: true });
}

const MESSAGE_LIMIT = 1000;
/** OpenAI's SDKs ignore a Retry-After above a minute and retry immediately. */
const SDK_PATIENCE_MS = 60_000;
const NO_RETRY = { 'x-should-retry': 'false' };

function callerError(failure: UpstreamFailure): CallerError {
  const { status } = failure;
  if (failure.credentialRefused || failure.quotaSpent) return refusedCredential();
  if (failure.incomplete) {
    return {
      status: 502,
      code: 'upstream_incomplete',
      message: 'The upstream ended its answer before it was complete. Please try again.',
      advice: 'retry',
    };
  }
  switch (status) {
    case 400:
    case 422:
      return refusedRequest(failure);
    case 413:
      return {
        status: 413,
        code: 'request_too_large',
        type: 'invalid_request_error',
        message: 'The request is larger than the upstream accepts.',
        advice: 'never',
      };
    case 401:
    case 402:
    case 403:
      return refusedCredential();
    case 404:
      return { ...refusedCredential(), message: 'The upstream does not have the model that this gateway requested.' };
    case 429:
      return {
        status: 429,
        code: 'upstream_rate_limited',
        type: 'requests',
        message: 'The upstream is rate-limiting this gateway. Please try again later.',
        headers: retryAfterHeaders(failure.retryAfterMs),
        advice: 'retry',
      };
    case 408:
    case 504:
      return {
        status: 504,
        code: 'upstream_timeout',
        message: 'The upstream did not answer in time.',
        advice: 'retry',
      };
    case 503:
    case 529:
      return {
        status: 503,
        code: 'overloaded',
        message: 'The upstream is overloaded. Please try again later.',
        headers: retryAfterHeaders(failure.retryAfterMs),
        advice: 'retry',
      };
    case 0:
      return {
        status: 502,
        code: 'upstream_unreachable',
        message: 'The upstream could not be reached.',
        advice: 'retry',
      };
    default: {
      const failed = { status: 502, code: 'upstream_error', message: 'The upstream failed to answer the request.' };
      return status >= 500 ? { ...failed, advice: 'retry' } : { ...failed, headers: NO_RETRY, advice: 'never' };
    }
  }
}

function refusedRequest({ message, param, code }: UpstreamFailure): CallerError {
  return {
    status: 400,
    code: code ?? 'invalid_value',
    type: 'invalid_request_error',
    message: (message ?? 'The upstream refused the request.').slice(0, MESSAGE_LIMIT),
    param: code === 'context_length_exceeded' ? 'messages' : (param ?? null),
    advice: 'never',
  };
}

/** The gateway's credential, account or model name was refused, which the caller can neither fix nor retry. */
function refusedCredential(): CallerError {
  return {
    status: 502,
    code: 'upstream_error',
    message: "The upstream refused this gateway. The gateway's administrator can see the reason in the log.",
    headers: NO_RETRY,
    advice: 'other-target',
  };
}

const MIN_WAIT_MS = 1000;
const MAX_WAIT_MS = 3_600_000;

function retryAfterHeaders(ms = MIN_WAIT_MS): Record<string, string> {
  const wait = Math.min(Math.max(Math.ceil(ms), MIN_WAIT_MS), MAX_WAIT_MS);
  return { 'retry-after': String(Math.ceil(wait / 1000)), 'retry-after-ms': String(wait) };
}
