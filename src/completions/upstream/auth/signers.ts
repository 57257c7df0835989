import type { AuthScheme } from '../../providers/provider.adapter.js';
import { bearerSigner } from './bearer.signer.js';
import { headerSigner } from './header.signer.js';
import type { Signer } from './signer.js';

/** How an upstream is asked for access; `none` is for one that asks for nothing (`auth: none` in upstreams.yaml). */
export type UpstreamAuth = AuthScheme | { readonly kind: 'none' };

/** What an upstream is given to identify the gateway by; null where none is configured. */
export interface UpstreamCredential {
  readonly apiKey: string | null;
}

/** The signer for a scheme and a credential, or null when either is missing: such an upstream is not live. */
export function createSigner(auth: UpstreamAuth, { apiKey }: UpstreamCredential): Signer | null {
  if (auth.kind === 'none') return () => ({});
  if (apiKey === null) return null;
  switch (auth.kind) {
    case 'bearer':
      return bearerSigner(apiKey);
    case 'header':
      return headerSigner(auth.name, apiKey);
    default:
      return null;
  }
}
