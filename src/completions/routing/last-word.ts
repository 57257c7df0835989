import type { GatewayError } from '../../common/gateway.error.js';
import type { Settings } from '../../config/settings.js';
import { toCallerError } from '../../upstreams/attempt/caller.error.js';
import type { UpstreamError } from '../../upstreams/contract/upstream.error.js';
import type { Candidate } from './candidate.js';

/** What the client is told when nothing helps: the last failure that may pass, else the last. */
export class LastWord {
  /** Of our own adapter: the request cannot be put to the target. */
  private refusal: GatewayError | null = null;
  private failed: Candidate | null = null;

  constructor(private readonly policy: Settings['retry']) {}

  refuse(refusal: GatewayError): void {
    this.refusal ??= refusal;
  }

  fail(candidate: Candidate, error: UpstreamError): void {
    if (error.advice === 'retry' || this.failed?.failure?.advice !== 'retry') this.failed = candidate;
  }

  /** `full`: what is told where targets were left that were only full. */
  error(full: GatewayError | null): GatewayError | null {
    const failure = this.failed?.failure;
    if (full !== null && failure?.advice !== 'retry') return full;
    return this.failed && failure ? this.told(this.failed, failure) : this.refusal;
  }

  /** Where the upstream asked for more patience than the gateway has, the client may have it. */
  told({ target }: Candidate, error: UpstreamError): GatewayError {
    const isTooLongAWait = (error.failure.retryAfterMs ?? 0) > this.policy.maxRetryAfter;
    return toCallerError(error, target.upstream, !isTooLongAWait);
  }
}
