import { GatewayError } from '../../common/gateway.error.js';

/** What the retry loop may do about a failed attempt. */
export type RetryAdvice = 'retry' | 'other-target' | 'never';

/** Facts about a failed upstream call, as an adapter or the upstream client read them. */
export interface UpstreamFailure {
  /** The upstream's status; 504 for a clock of ours that ran out, 0 for no connection, 502 for an unreadable answer. */
  status: number;
  /** The upstream's own words; only those of a 400 or 422 are shown to the caller. */
  message?: string | undefined;
  /** The request field that the upstream named. */
  param?: string | null | undefined;
  /** It named the field in a field of its own, and not in words, which may be the request's. */
  paramIsTold?: boolean | undefined;
  /** Set where the upstream says so; any other 400 counts as `invalid_value`. */
  code?: 'context_length_exceeded' | 'content_filter' | undefined;
  /** A 429 that waiting does not cure: the credential's own quota is spent. */
  quotaSpent?: boolean | undefined;
  /** A 400 that really means a bad credential. */
  credentialRefused?: boolean | undefined;
  /** No connection, since the gateway does not trust the certificate. */
  certificateRefused?: boolean | undefined;
  /** The call took too long. */
  isOutOfTime?: boolean | undefined;
  /** A stream that ended without a finish reason. */
  incomplete?: boolean | undefined;
  /** How long the upstream asked to wait, in ms. */
  retryAfterMs?: number | undefined;
  /** The gateway's own attempts are used up: the client's would only be added to them. */
  isLast?: boolean | undefined;
  /** The upstream's own id of the request; for the log alone. */
  requestId?: string | undefined;
}

interface Told {
  status: number;
  code: string;
  type?: string;
  message: string;
  param?: string | null;
  headers?: Record<string, string>;
  advice: RetryAdvice;
}

/** A failed upstream call, already in the words of the caller's error. */
export class UpstreamError extends GatewayError {
  readonly advice: RetryAdvice;

  constructor(
    readonly failure: UpstreamFailure,
    options?: ErrorOptions,
  ) {
    const { status, code, type = 'server_error', message, param = null, headers, advice } = told(failure);
    const isHopeless = failure.isLast === true || (failure.retryAfterMs ?? 0) > SDK_PATIENCE_MS;
    const isSpent = isHopeless && advice === 'retry' && status !== 429;
    super(status, { message, type, param, code }, isSpent ? { ...headers, ...NO_RETRY } : headers, options);
    this.name = 'UpstreamError';
    this.advice = advice;
  }
}

/** An answer that is not what the API promises. */
export function unreadable(what: string, options?: ErrorOptions): UpstreamError {
  return new UpstreamError({ status: 502, message: what }, options);
}

export function upstreamIncomplete(): UpstreamError {
  return new UpstreamError({ status: 502, incomplete: true });
}

const MESSAGE_LIMIT = 1000;
/** OpenAI's SDKs take no Retry-After above a minute for one, and come again at once. */
const SDK_PATIENCE_MS = 60_000;
const NO_RETRY = { 'x-should-retry': 'false' };

/** Upstream failure → what the caller is told, and whether another attempt may help. */
function told(failure: UpstreamFailure): Told {
  const { status } = failure;
  if (failure.credentialRefused || failure.quotaSpent) return refusedCredential();
  if (failure.incomplete) return incompleteAnswer();
  switch (status) {
    case 400:
    case 422:
      return refusedRequest(failure);
    case 413:
      return {
        status: 413,
        code: 'request_too_large',
        type: 'invalid_request_error',
        message: 'The request is larger than the upstream takes.',
        advice: 'never',
      };
    case 401:
    case 402:
    case 403:
      return refusedCredential();
    case 404:
      return { ...refusedCredential(), message: 'The upstream does not have the model that this gateway asks for.' };
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

function refusedRequest({ message, param, code }: UpstreamFailure): Told {
  return {
    status: 400,
    code: code ?? 'invalid_value',
    type: 'invalid_request_error',
    message: (message ?? 'The upstream refused the request.').slice(0, MESSAGE_LIMIT),
    param: code === 'context_length_exceeded' ? 'messages' : (param ?? null),
    advice: 'never',
  };
}

/** The gateway's own credential, account or model name was refused: nothing that the caller can mend or retry. */
function refusedCredential(): Told {
  return {
    status: 502,
    code: 'upstream_error',
    message: 'The upstream refused this gateway. Its administrator can see the reason in the log.',
    headers: NO_RETRY,
    advice: 'other-target',
  };
}

function incompleteAnswer(): Told {
  return {
    status: 502,
    code: 'upstream_incomplete',
    message: 'The upstream ended its answer before it was complete. Please try again.',
    advice: 'retry',
  };
}

const SHORTEST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 3_600_000;

/** `Retry-After` in whole seconds, from 1 to 3600, and `retry-after-ms` for clients that know it. */
function retryAfterHeaders(ms = SHORTEST_WAIT_MS): Record<string, string> {
  const wait = Math.min(Math.max(Math.ceil(ms), SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
  return { 'retry-after': String(Math.ceil(wait / 1000)), 'retry-after-ms': String(wait) };
}
