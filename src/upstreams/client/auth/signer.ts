import type { AuthScheme, Credential } from '../../../config/upstream-protocol.js';
import type { UpstreamClient } from '../upstream.client.js';

/** A request as it will be sent, except for its credential. */
export interface UnsignedRequest {
  readonly method: 'POST' | 'GET';
  /** Absolute. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
}

/** Headers to be added to those that a request has. */
export type CredentialHeaders = Readonly<Record<string, string>>;

/** Signs one attempt. Returns a promise only where the credential must be fetched or computed. */
export type Signer = (request: UnsignedRequest) => CredentialHeaders | Promise<CredentialHeaders>;

export interface UpstreamSecrets {
  readonly apiKey: string | null;
  readonly credential: Credential | null;
}

/** A scheme and how it signs. */
export interface SigningScheme extends AuthScheme {
  /** Null without a credential: such an upstream is not live. */
  createSigner(secrets: UpstreamSecrets, client: UpstreamClient): Signer | null;
}

/** The signer of a scheme; one that cannot sign sends requests as they are. */
export function createSigner(scheme: AuthScheme, secrets: UpstreamSecrets, client: UpstreamClient): Signer | null {
  return canSign(scheme) ? scheme.createSigner(secrets, client) : () => ({});
}

function canSign(scheme: AuthScheme): scheme is SigningScheme {
  return 'createSigner' in scheme;
}
