/** A request as it will be sent, but for its credential. */
export interface UnsignedRequest {
  readonly method: 'POST' | 'GET';
  /** Absolute. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
}

/** The headers that give a request its credential, to be added to those it has; asked anew for every attempt. */
export type Signer = (request: UnsignedRequest) => Readonly<Record<string, string>>;
