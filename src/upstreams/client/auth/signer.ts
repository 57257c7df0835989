import type { AuthScheme, Credential } from '../../../config/upstream-protocol.js';
import type { UpstreamClient } from '../upstream.client.js';

/** A complete request without its credential. */
export interface UnsignedRequest {
  readonly method: 'POST' | 'GET';
  /** Absolute. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
}

/** Headers to add to a request. */
export type CredentialHeaders = Readonly<Record<string, string>>;

/** Signs one attempt. Returns a promise only if the credential must be fetched or computed. */
export type Signer = (request: UnsignedRequest) => CredentialHeaders | Promise<CredentialHeaders>;

export interface UpstreamSecrets {
  readonly apiKey: string | null;
  readonly credential: Credential | null;
}

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
