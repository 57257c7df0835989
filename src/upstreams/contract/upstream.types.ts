import type { Observable } from 'rxjs';
import type { Clocks } from '../../config/upstreams.settings.js';
import type { UpstreamHeaders } from './provider.adapter.js';

export interface OutboundRequest {
  /** Requests of the same name share connections. */
  readonly upstream: string;
  readonly method: 'POST' | 'GET';
  /** Absolute, without credentials or a fragment. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
  readonly clocks: Clocks;
  /** Whether a stream was requested, so that the first-event clock runs until `eventSeen()`. */
  readonly streamed: boolean;
  /** The `performance.now()` at which the total clock expires; the same for all attempts of a call. */
  readonly deadline: number;
  /** Called when the connection is established and the request is sent. */
  onSent?(): void;
}

/** A complete request without its credential. */
export type UnsignedRequest = Pick<OutboundRequest, 'method' | 'url' | 'headers' | 'body'>;

/** Headers to add to a request. */
export type CredentialHeaders = Readonly<Record<string, string>>;

/** Signs one attempt. Returns a promise only if the credential must be fetched or computed. */
export type Signer = (request: UnsignedRequest) => CredentialHeaders | Promise<CredentialHeaders>;

/** A response whose head has arrived, with any status. */
export interface UpstreamResponse {
  readonly status: number;
  readonly headers: UpstreamHeaders;
  /**
   * The body's buffers as they arrive. Subscribe once, while the response is being emitted, as an exchange without a
   * subscriber is aborted. Unsubscribing also aborts it. If that happens while a buffer is being delivered, it is
   * aborted shortly afterwards, so that a body that is about to end keeps its connection.
   */
  readonly body: Observable<Buffer>;
  readonly flow: Flow;
  /** Call on every event: after the first, the idle clock replaces the first-event clock. */
  eventSeen(): void;
}

/** Back-pressure. While paused, nothing is read and only the total clock runs. */
export interface Flow {
  pause(): void;
  resume(): void;
}

/** Back-pressure of a whole attempt. */
export interface TimedFlow extends Flow {
  /** How long it was paused so far. */
  readonly pausedMs: number;
}
