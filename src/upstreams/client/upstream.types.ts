import type { Observable } from 'rxjs';
import type { Clocks } from '../../config/upstreams.settings.js';
import type { UpstreamHeaders } from '../contract/provider.adapter.js';

/** One attempt at a call, signed and ready to be sent. */
export interface OutboundRequest {
  /** The upstream's name: connections are shared by the requests of one name. */
  readonly upstream: string;
  readonly method: 'POST' | 'GET';
  /** Absolute, without credentials or a fragment. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
  readonly clocks: Clocks;
  /** A stream was asked for: the first-event clock runs until `eventSeen()`. */
  readonly streamed: boolean;
  /** The `performance.now()` instant at which the total clock runs out; all attempts of a call share it. */
  readonly deadline: number;
  /** The connection stands, and the request goes out on it. */
  onSent?(): void;
}

/** An answer whose head has arrived, whatever its status. */
export interface UpstreamResponse {
  readonly status: number;
  readonly headers: UpstreamHeaders;
  /**
   * The body's buffers as they arrive. It is to be subscribed once, while the response is being emitted; an exchange
   * whose body nobody took is aborted. Unsubscribing aborts it too: at once, or shortly after when the subscriber
   * leaves on its own while it is given a buffer, so that a body which is just about to end keeps its connection.
   */
  readonly body: Observable<Buffer>;
  readonly flow: Flow;
  /** To be called at every data event: from the first on the idle clock runs instead of the first-event clock. */
  eventSeen(): void;
}

/** Back-pressure, beside the Observable: while paused nothing is read, and of the clocks only the total one runs. */
export interface Flow {
  pause(): void;
  resume(): void;
}
