import type { ClosedCall } from './call-record.types.js';

/** The call without its details, for a row that Postgres rejects: closing it must release what the call held. */
export function toUnrecordable(call: ClosedCall): ClosedCall {
  return {
    ...call,
    status: 'failed',
    servedModel: null,
    upstream: null,
    upstreamModel: null,
    finishReason: null,
    errorCode: 'internal_error',
    tokens: { input: 0, cached: 0, output: 0, reasoning: 0 },
    costNanodollars: 0n,
    charge: null,
    attempts: [],
    firstTokenMs: null,
    totalMs: 0,
  };
}
