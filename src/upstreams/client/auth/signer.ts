import type { AuthScheme } from '../../../config/upstream-protocol.js';
import type { UpstreamSettings } from '../../../config/upstreams.settings.js';
import type { Signer } from '../../contract/upstream.types.js';
import type { UpstreamClient } from '../upstream.client.js';

export type UpstreamSecrets = Pick<UpstreamSettings, 'apiKey' | 'credential'>;

/** An authentication scheme with its signer. */
export interface SigningScheme extends AuthScheme {
  /** Null without a credential, so that the upstream is not live. */
  createSigner(secrets: UpstreamSecrets, client: UpstreamClient): Signer | null;
}

/** The signer of a scheme. Schemes that do not sign leave requests unchanged. */
export function createSigner(scheme: AuthScheme, secrets: UpstreamSecrets, client: UpstreamClient): Signer | null {
  return canSign(scheme) ? scheme.createSigner(secrets, client) : () => ({});
}

function canSign(scheme: AuthScheme): scheme is SigningScheme {
  return 'createSigner' in scheme;
}
