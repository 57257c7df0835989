import { GatewayError } from '../../common/gateway.error.js';
import type { CompletionUsage } from './chat.types.js';

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
   * A refused part that the request can be sent without: `reasoning` of earlier turns that the upstream cannot verify,
   * unknown `betas` (features), `items` that it does not have, or `encryption` of the answer's reasoning.
   */
  refusedPart?: 'reasoning' | 'betas' | 'items' | 'encryption' | undefined;
  /** A 429 because the credential's quota is spent, so that waiting does not help. */
  quotaSpent?: boolean | undefined;
  /** A 400 because of the credential. */
  credentialRefused?: boolean | undefined;
  /** The gateway has no valid credential of its own, so nothing was sent. */
  credentialMissing?: boolean | undefined;
  /** The gateway does not trust the upstream's certificate. */
  certificateRefused?: boolean | undefined;
  /** A limit of the gateway ended the answer: one of its clocks, or the size that it passes on. */
  limit?: 'time' | 'size' | undefined;
  /** The stream ended without a finish reason. */
  incomplete?: boolean | undefined;
  /** The connection broke within the answer. */
  broken?: boolean | undefined;
  /** The model had written an answer, which its API then refused, as a request may bring about. */
  answerRefused?: boolean | undefined;
  /** What the upstream reported for an answer that ended as a failure. */
  usage?: CompletionUsage | undefined;
  /** Whether a part of the usage is an estimate. */
  isEstimated?: boolean | undefined;
  /** Whether the provider bills the prompt although it refused it. */
  billsPrompt?: boolean | undefined;
  retryAfterMs?: number | undefined;
  /** The provider's own limits, for clients of its native API. */
  limitHeaders?: Readonly<Record<string, string>> | undefined;
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

/** The failure of an answer that reported its usage. */
export function withUsage(error: UpstreamError, usage: CompletionUsage | undefined): UpstreamError {
  return usage ? new UpstreamError({ ...error.failure, usage }, { cause: error.cause }) : error;
}

/** Reads an answer; a failure has the usage that the answer reported. */
export function charging<Read>(read: () => Read, usage: () => CompletionUsage | undefined): Read {
  try {
    return read();
  } catch (error) {
    throw withReported(error, usage);
  }
}

/** A failure without usage gets it. */
export function withReported(error: unknown, usage: () => CompletionUsage | undefined): unknown {
  return error instanceof UpstreamError && !error.failure.usage ? withUsage(error, usage()) : error;
}

export function upstreamIncomplete(): UpstreamError {
  return new UpstreamError({ status: 502, incomplete: true });
}

const MESSAGE_LIMIT = 1000;
const NO_CREDENTIAL =
  "The gateway has no valid credential for the upstream. The gateway's administrator can see the reason in the log.";
/** OpenAI's SDKs ignore a Retry-After above a minute and retry immediately. */
const SDK_PATIENCE_MS = 60_000;
const NO_RETRY = { 'x-should-retry': 'false' };

function callerError(failure: UpstreamFailure): CallerError {
  const { status } = failure;
  if (failure.credentialMissing) return { ...refusedCredential(), message: NO_CREDENTIAL };
  if (failure.credentialRefused || failure.quotaSpent) return refusedCredential();
  if (failure.incomplete) {
    return {
      status: 502,
      code: 'upstream_incomplete',
      message: 'The upstream ended its answer before it was complete. Please try again.',
      advice: 'retry',
    };
  }
  if (failure.limit === 'size') {
    return {
      status: 502,
      code: 'upstream_error',
      message: 'The answer is larger than the gateway passes on. Request fewer choices or log probabilities at once.',
      headers: NO_RETRY,
      advice: 'never',
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
      return notFound(failure);
    case 429:
      return {
        status: 429,
        code: 'upstream_rate_limited',
        type: 'requests',
        message: 'The upstream is rate-limiting this gateway. Please try again later.',
        headers: { ...failure.limitHeaders, ...retryAfterHeaders(failure) },
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
        headers: retryAfterHeaders(failure),
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

function notFound(failure: UpstreamFailure): CallerError {
  switch (missingPart(failure.message)) {
    case 'item':
      return refusedRequest(failure);
    case 'path':
      return {
        ...refusedCredential(),
        message:
          "The upstream has no such path. The gateway's administrator must correct the upstream's base URL or protocol.",
      };
    case 'model':
      return { ...refusedCredential(), message: 'The upstream does not have the model that this gateway requested.' };
  }
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
/** Native clients know the limits of days and weeks of their provider. */
const MAX_NATIVE_WAIT_MS = 31 * 86_400_000;

function retryAfterHeaders({ retryAfterMs = MIN_WAIT_MS, limitHeaders }: UpstreamFailure): Record<string, string> {
  const longest = limitHeaders === undefined ? MAX_WAIT_MS : MAX_NATIVE_WAIT_MS;
  const wait = Math.min(Math.max(Math.ceil(retryAfterMs), MIN_WAIT_MS), longest);
  return { 'retry-after': String(Math.ceil(wait / 1000)), 'retry-after-ms': String(wait) };
}

/**
 * What servers answer for a path that they do not have: "Not Found" (Anthropic, FastAPI), "Resource not found" (Azure),
 * "404 page not found" (Ollama), "Invalid URL (POST /v1/…)" (OpenAI), or no message, such as a page.
 */
const NO_SUCH_PATH =
  /^\W*(?:(?:404|error|page|resource|route|endpoint|url|path)\W+)*not found\W*$|invalid url|no route|cannot post|unknown (?:url|path|endpoint|route)/i;

/** "Item with id 'rs_…' not found", "No such File object: file-…", "File not found: …", "Container with id … not found". */
const NO_SUCH_ITEM =
  /\b(?:item|response|conversation|container) with id\b.*not found|\bno such (?:file|container|vector store)\b|^\W*(?:file|container|vector store|cached ?content)\b.*not found/i;

/** What an upstream's 404 says is missing: its model, something that the request refers to, or the path of the API. */
export function missingPart(message = ''): 'model' | 'item' | 'path' {
  if (message === '' || NO_SUCH_PATH.test(message)) return 'path';
  return NO_SUCH_ITEM.test(message) ? 'item' : 'model';
}
