/** A request as it will be sent, but for its credential. */
export interface UnsignedRequest {
  readonly method: 'POST' | 'GET';
  /** Absolute. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
}

/** Headers to be added to those that a request has. */
export type CredentialHeaders = Readonly<Record<string, string>>;

/** Gives a request its credential, anew for every attempt; with a promise only where it cannot be had at once. */
export type Signer = (request: UnsignedRequest) => CredentialHeaders | Promise<CredentialHeaders>;
