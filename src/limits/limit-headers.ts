import type { AdmissionRequest, BalanceState } from '../ledger/rows/admission.types.js';

const KINDS = [
  ['requests', 'requestsPerMinute'],
  ['tokens', 'tokensPerMinute'],
] as const;

/** `balances`: before the admission. `isTaken`: the call was admitted. */
export interface Standing {
  readonly request: AdmissionRequest;
  readonly balances: readonly BalanceState[];
  readonly isTaken: boolean;
}

/**
 * `x-ratelimit-…` headers of requests and tokens, each for the balance with the least remaining. Rates without a limit
 * have no headers.
 */
export function limitHeaders({ request, balances, isTaken }: Standing): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [kind, name] of KINDS) {
    const taken = isTaken ? (kind === 'requests' ? 1 : request.tokens) : 0;
    let least = Number.POSITIVE_INFINITY;
    for (const [index, { values }] of request.balances.entries()) {
      const limit = values[name];
      const found = balances[index]?.[kind];
      if (limit === null || found == null) continue;
      const left = Math.min(limit, found - taken);
      if (left >= least) continue;
      least = left;
      headers[`x-ratelimit-limit-${kind}`] = String(limit);
      headers[`x-ratelimit-remaining-${kind}`] = String(Math.max(0, Math.floor(left + 1e-6)));
      headers[`x-ratelimit-reset-${kind}`] = goDuration(limit === 0 ? 0 : ((limit - left) * 60) / limit);
    }
  }
  return headers;
}

/** Go's duration format: `12ms`, `1.5s`, `6m0s`, `1h0m0s`. */
function goDuration(seconds: number): string {
  const ms = Math.max(0, Math.ceil(seconds * 1000));
  if (ms === 0) return '0s';
  if (ms < 1000) return `${ms}ms`;
  const minutes = Math.floor(ms / 60_000);
  const rest = `${(ms % 60_000) / 1000}s`;
  if (minutes === 0) return rest;
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes}m${rest}` : `${hours}h${minutes % 60}m${rest}`;
}
