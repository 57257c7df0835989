import type { KeyObject } from 'node:crypto';
import type { Environment } from './environment.js';

/** The gateway's credential at an upstream whose protocol takes more than an API key. */
export type UpstreamCredential = AwsCredential | GoogleCredential;

/** A pair of AWS keys, temporary with a session token, and the region that requests are signed for. */
export interface AwsCredential {
  readonly kind: 'aws';
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
  readonly region: string;
}

/** A Google service account; the key object reveals nothing in a log. */
export interface GoogleCredential {
  readonly kind: 'google';
  readonly clientEmail: string;
  readonly privateKey: KeyObject;
  readonly privateKeyId: string | null;
  /** Where an assertion signed by the account is exchanged for an access token. */
  readonly tokenUri: string;
}

/** A secret that is sent in a header as it is; null if it is not set or has a fault. */
export function readKey(environment: Environment, name: string): string | null {
  const key = environment.readSecret(name) ?? null;
  if (key === null || /^[\x21-\x7e]+$/.test(key)) return key;
  environment.fault(name, 'must consist of visible ASCII characters without a space or line break');
  return null;
}
