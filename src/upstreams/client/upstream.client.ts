import type { OnApplicationShutdown } from '@nestjs/common';
import { from, Observable, switchMap } from 'rxjs';
import type { Proxies } from '../../common/outbound-http.js';
import type { UpstreamHeaders } from '../contract/provider.adapter.js';
import { UpstreamError } from '../contract/upstream.error.js';
import type { CredentialHeaders, OutboundRequest, Signer, UpstreamResponse } from '../contract/upstream.types.js';
import { Connections } from './connections.js';
import { Exchange } from './exchange.js';

/** Sends all requests to model providers. Redirects are not followed. */
export class UpstreamClient implements OnApplicationShutdown {
  private readonly connections: Connections;

  constructor(proxy: Proxies = {}) {
    this.connections = new Connections(proxy);
  }

  /**
   * Sends one request. The Observable emits the response when its head arrives, and completes. To abort, unsubscribe
   * from this Observable before the head, and from the response's body afterwards. Fails with an `UpstreamError`: 504
   * for an expired clock, 0 for no connection, 502 for a response that is truncated or not HTTP.
   */
  send(request: OutboundRequest): Observable<UpstreamResponse> {
    return new Observable((caller) => {
      const exchange = new Exchange(request, caller);
      if (exchange.start()) this.dispatch(request, exchange);
      return () => exchange.callerLeft();
    });
  }

  /** Sends a request with its credential. */
  sendSigned(request: OutboundRequest, sign: Signer): Observable<UpstreamResponse> {
    const send = (credential: CredentialHeaders) =>
      this.send({ ...request, headers: { ...request.headers, ...credential } });
    const credential = sign(request);
    return credential instanceof Promise ? from(credential).pipe(switchMap(send)) : send(credential);
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

/** Appends a path to a base URL. Base URLs may include a vendor's prefix (`/v1`), which is not repeated. */
export function joinUrl(baseUrl: string, path: string): string {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    if (baseUrl.endsWith(path.slice(0, end))) return baseUrl + path.slice(end);
  }
  return baseUrl + path;
}

/** Headers in which upstreams return their request id. */
const NAMES = ['x-request-id', 'request-id', 'x-amzn-requestid', 'apim-request-id', 'mistral-correlation-id'];

const SHAPE = /^[\x21-\x7e]{1,128}$/;

/** Adds the upstream's request id, which operators need for support requests. */
export function withRequestId(error: unknown, headers: UpstreamHeaders): unknown {
  if (error instanceof UpstreamError) error.failure.requestId ??= requestIdOf(headers);
  return error;
}

export function requestIdOf(headers: UpstreamHeaders): string | undefined {
  for (const name of NAMES) {
    const id = headers[name];
    if (typeof id === 'string' && SHAPE.test(id)) return id;
  }
  return undefined;
}
