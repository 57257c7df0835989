import { Socket } from 'node:net';
import { buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { type Proxies, toProxyUrl } from '../../common/outbound-http.js';
import { skipInterimResponses } from './interim-responses/interim-responses.js';

/** A handler that receives its connecting socket, so that it can destroy the socket if the request is aborted. */
export interface ConnectingHandler extends Dispatcher.DispatchHandler {
  connectingOn(socket: Socket): void;
}

/** The exchange has its own clocks. */
const HTTP_OPTIONS = {
  allowH2: false,
  pipelining: 1,
  keepAliveTimeout: 30_000,
  maxHeaderSize: 64 * 1024,
  headersTimeout: 0,
  bodyTimeout: 0,
} as const;

type Options = Dispatcher.DispatchOptions & { origin: string };

/**
 * Keep-alive connections to all upstreams, created on first use. Without a proxy each origin has its own pool, which
 * saves undici's lookup on each request.
 */
export class Connections {
  private readonly dispatchers = new Map<string, Map<string, Dispatcher>>();
  private readonly proxy: Proxies;
  private starting: ConnectingHandler | null = null;

  constructor({ httpProxy, httpsProxy, noProxy }: Proxies) {
    this.proxy = { httpProxy: toProxyUrl(httpProxy), httpsProxy: toProxyUrl(httpsProxy), noProxy };
  }

  /** `connectTimeout` (ms) bounds connections that no handler can abort; the first one given for an upstream counts. */
  dispatch(upstream: string, connectTimeout: number, options: Options, handler: ConnectingHandler): void {
    const origins = this.dispatchers.get(upstream) ?? new Map<string, Dispatcher>();
    const dispatcher = origins.get(options.origin) ?? this.createDispatcher(options.origin, connectTimeout);
    this.dispatchers.set(upstream, origins.set(options.origin, dispatcher));
    // undici begins a new connection synchronously within `dispatch`, so the connection belongs to this handler.
    this.starting = handler;
    dispatcher.dispatch(options, handler);
    this.starting = null;
  }

  async destroy(): Promise<void> {
    const dispatchers = [...this.dispatchers.values()].flatMap((origins) => [...origins.values()]);
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.destroy()));
    this.dispatchers.clear();
  }

  private createDispatcher(origin: string, connectTimeout: number): Dispatcher {
    const { httpProxy = '', httpsProxy = '', noProxy = '' } = this.proxy;
    if (!httpProxy && !httpsProxy) return this.createPool(origin, {}, connectTimeout);
    return new EnvHttpProxyAgent({
      allowH2: false,
      connectTimeout,
      factory: (target, options) => this.createPool(target, options, connectTimeout),
      httpProxy,
      httpsProxy,
      noProxy,
      proxyTls: { allowH2: false },
      clientFactory: (target, { connect }: Pool.Options) =>
        new Pool(target, {
          ...HTTP_OPTIONS,
          headersTimeout: connectTimeout,
          connect: this.watched(toConnector(connect, connectTimeout)),
        }),
    });
  }

  /** `connect` is a function if there is a proxy. */
  private createPool(origin: string | URL, { connect, ...options }: Pool.Options, connectTimeout: number): Pool {
    const connector = this.watched(toConnector(connect, connectTimeout));
    return new Pool(origin, {
      ...options,
      ...HTTP_OPTIONS,
      connect: (target, callback) =>
        connector(target, (...[error, socket]) => {
          if (error) callback(error, null);
          else callback(null, skipInterimResponses(socket));
        }),
    });
  }

  private watched(connect: buildConnector.connector): buildConnector.connector {
    return (target, callback) => {
      const socket: unknown = connect(target, callback);
      if (socket instanceof Socket) this.starting?.connectingOn(socket);
      return socket;
    };
  }
}

function toConnector(connect: Pool.Options['connect'], timeout: number): buildConnector.connector {
  return typeof connect === 'function' ? connect : buildConnector({ allowH2: false, timeout });
}
