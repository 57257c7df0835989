import type { UpstreamCredential } from '../../../config/upstream-credential.js';
import type { AuthScheme } from '../../../config/upstream-protocol.js';
import type { UpstreamClient } from '../upstream.client.js';
import { bearerSigner } from './bearer.signer.js';
import { googleSigner } from './google.signer.js';
import { headerSigner } from './header.signer.js';
import type { Signer } from './signer.js';
import { sigV4Signer } from './sigv4.signer.js';

/** What the gateway identifies itself to an upstream by; null where it is not configured. */
export interface UpstreamSecrets {
  readonly apiKey: string | null;
  readonly credential: UpstreamCredential | null;
}

/** The signer for a scheme and what is configured for it, or null where that is missing: such an upstream is not live. */
export function createSigner(
  scheme: AuthScheme,
  { apiKey, credential }: UpstreamSecrets,
  client: UpstreamClient,
): Signer | null {
  switch (scheme.kind) {
    case 'none':
      return () => ({});
    case 'bearer':
      return apiKey === null ? null : bearerSigner(apiKey);
    case 'header':
      return apiKey === null ? null : headerSigner(scheme.name, apiKey);
    case 'sigv4':
      // A key of the service alone takes the place of a signature.
      if (apiKey !== null) return bearerSigner(apiKey);
      return credential?.kind === 'aws' ? sigV4Signer(scheme.service, credential) : null;
    case 'google':
      return credential?.kind === 'google' ? googleSigner(credential, client) : null;
  }
}
