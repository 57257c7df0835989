import type { OnApplicationShutdown } from '@nestjs/common';
import { Observable } from 'rxjs';
import { Connections, type ProxySettings } from './connections.js';
import { Exchange } from './exchange.js';
import type { OutboundRequest, UpstreamResponse } from './upstream.types.js';

/** The only way out to model providers. Redirects are ordinary responses. */
export class UpstreamClient implements OnApplicationShutdown {
  private readonly connections: Connections;

  constructor(proxy: ProxySettings = {}) {
    this.connections = new Connections(proxy);
  }

  /**
   * Sends one request; the Observable emits the response as soon as its head arrives, and completes. Unsubscribing
   * aborts: before the head on this Observable, then on the response's body. Fails with `UpstreamError`: 504 for a
   * clock that ran out, 0 for no connection, 502 for a response that broke off or is not HTTP.
   */
  send(request: OutboundRequest): Observable<UpstreamResponse> {
    return new Observable((caller) => {
      const exchange = new Exchange(request, caller);
      if (exchange.start()) this.dispatch(request, exchange);
      return () => exchange.callerLeft();
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.connections.destroy();
  }

  private dispatch({ upstream, method, url, headers, body, clocks }: OutboundRequest, exchange: Exchange): void {
    const pathAt = startOfPath(url);
    const options = {
      origin: url.slice(0, pathAt),
      path: url.slice(pathAt) || '/',
      method,
      headers: { 'user-agent': 'chat-completion-gateway', ...headers, 'accept-encoding': 'identity' },
      body: body ?? null,
    };
    this.connections.dispatch(upstream, clocks.connect, options, exchange);
  }
}

function startOfPath(url: string): number {
  const at = url.indexOf('/', url.indexOf('://') + 3);
  return at < 0 ? url.length : at;
}
