import type { AttemptRecord } from '../../ledger/rows/call-record.types.js';
import type { LiveTarget } from '../../upstreams/targets/target.types.js';
import type { CompletionCall } from '../call/completion.call.js';

/** End it once with `endAttempt`. `waited`: ms that the call waited because all targets were full. */
export function beginAttempt({ startedMs }: CompletionCall, target: LiveTarget, waited = 0): AttemptRecord {
  const record: AttemptRecord = {
    upstream: target.upstream.name,
    upstreamModel: target.upstreamModel,
    startMs: Math.round(performance.now() - startedMs),
    ms: 0,
    outcome: 'open',
    status: null,
  };
  if (target.keyName !== null) record.key = target.keyName;
  if (waited > 0) record.waitedMs = waited;
  return record;
}

/** `outcome`: `ok`, `aborted`, or the code of the error. */
export function endAttempt(
  { startedMs }: CompletionCall,
  record: AttemptRecord,
  outcome: string,
  status: number | null,
): void {
  record.ms = Math.round(performance.now() - startedMs) - record.startMs;
  record.outcome = outcome;
  record.status = status;
}
