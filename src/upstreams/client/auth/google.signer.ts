import type { UpstreamClient } from '../upstream.client.js';
import type { CredentialHeaders, Signer } from '../upstream.types.js';
import { type GoogleCredential, requestAccessToken } from './google-token.js';

/** Fractions of a token's lifetime: after the first, a new token is requested; after the second, it is not used. */
const REPLACE_AFTER = 0.9;
const UNUSED_AFTER = 0.98;

/** ms between attempts to replace a token. */
const REPLACE_PAUSE = 10_000;

interface HeldToken {
  readonly headers: CredentialHeaders;
  /** Instants of `performance.now()`. */
  replaceAt: number;
  readonly unusedAt: number;
}

/**
 * `Authorization: Bearer` with an access token of a service account. Requests wait for a token only if there is no
 * valid one; all share a single token request. Later tokens are requested while the previous one is still valid.
 */
export function googleSigner(account: GoogleCredential, client: UpstreamClient): Signer {
  let held: HeldToken | null = null;
  let pending: Promise<CredentialHeaders> | null = null;

  async function exchange(): Promise<CredentialHeaders> {
    const from = performance.now();
    const { value, lifetimeMs } = await requestAccessToken(account, client);
    const headers = { authorization: `Bearer ${value}` };
    held = { headers, replaceAt: from + lifetimeMs * REPLACE_AFTER, unusedAt: from + lifetimeMs * UNUSED_AFTER };
    return headers;
  }

  function refresh(): Promise<CredentialHeaders> {
    pending ??= exchange().finally(() => {
      pending = null;
    });
    return pending;
  }

  return () => {
    const now = performance.now();
    if (held === null || now >= held.unusedAt) return refresh();
    if (now >= held.replaceAt) {
      held.replaceAt = now + REPLACE_PAUSE;
      refresh().catch(() => undefined);
    }
    return held.headers;
  };
}
