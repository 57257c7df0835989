import type { UpstreamFailure } from '../contract/upstream.error.js';

/**
 * What an attempt shows about its target: `works` (also for a request that was refused as invalid), `fails`, `limited`
 * for now, `refused` (credential, account or certificate), or `unknown`.
 */
export type Verdict = 'works' | 'fails' | 'limited' | 'refused' | 'unknown';

export function verdictOf({ status, credentialRefused, certificateRefused, quotaSpent }: UpstreamFailure): Verdict {
  if (credentialRefused || certificateRefused || quotaSpent) return 'refused';
  switch (status) {
    case 400:
    case 413:
    case 422:
      return 'works';
    case 401:
    case 402:
    case 403:
      return 'refused';
    case 429:
      return 'limited';
    case 0:
      return 'fails';
    default:
      return status >= 500 ? 'fails' : 'unknown';
  }
}

/** Whether the failure concerns the key, so that another key of the upstream may work. */
export function isOfKey(failure: UpstreamFailure): boolean {
  if (failure.certificateRefused) return false;
  const verdict = verdictOf(failure);
  return verdict === 'refused' || verdict === 'limited' || failure.status === 404;
}
