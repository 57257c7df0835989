import type { GatewayError } from '../../common/gateway.error.js';
import type { Settings } from '../../config/settings.js';
import { toCallerError } from '../../upstreams/attempt/caller.error.js';
import type { UpstreamError } from '../../upstreams/contract/upstream.error.js';
import type { Candidate } from './candidate.js';

/** The client's error if all attempts failed: the last retryable failure, else the last failure. */
export class FinalError {
  /** The adapter's error: the request cannot be translated for the target. */
  private refusal: GatewayError | null = null;
  private failed: Candidate | null = null;

  constructor(private readonly policy: Settings['retry']) {}

  refuse(refusal: GatewayError): void {
    this.refusal ??= refusal;
  }

  fail(candidate: Candidate, error: UpstreamError): void {
    if (error.advice === 'retry' || this.failed?.failure?.advice !== 'retry') this.failed = candidate;
  }

  /** `full`: the error to send if untried targets were only full. */
  error(full: GatewayError | null): GatewayError | null {
    const failure = this.failed?.failure;
    if (full !== null && failure?.advice !== 'retry') return full;
    return this.failed && failure ? this.clientError(this.failed, failure) : this.refusal;
  }

  /** Includes the upstream's retry-after if that is longer than the gateway waits. */
  clientError({ target }: Candidate, error: UpstreamError): GatewayError {
    const isTooLongAWait = (error.failure.retryAfterMs ?? 0) > this.policy.maxRetryAfter;
    return toCallerError(error, target.upstream, !isTooLongAWait);
  }
}
