import { Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { toProxyUrl } from '../../common/proxy-url.js';
import { skipInterimResponses } from './interim-responses.js';

/** Addresses of forward proxies; without `httpsProxy`, `httpProxy` serves both. `noProxy`: hosts separated by commas. */
export interface ProxySettings {
  readonly httpProxy?: string | undefined;
  readonly httpsProxy?: string | undefined;
  readonly noProxy?: string | undefined;
}

/** A handler that may be told which socket is being connected for it, to give it up with the request. */
export interface ConnectingHandler extends Dispatcher.DispatchHandler {
  connectingOn(socket: Socket): void;
}

/** The clocks of the exchange take the place of undici's own. */
const HTTP_OPTIONS = {
  allowH2: false,
  pipelining: 1,
  keepAliveTimeout: 30_000,
  maxHeaderSize: 64 * 1024,
  headersTimeout: 0,
  bodyTimeout: 0,
} as const;

/** The kept-alive connections to all upstreams: one undici dispatcher each, made when it is first used. */
export class Connections {
  private readonly dispatchers = new Map<string, Dispatcher>();
  private readonly proxy: ProxySettings;
  private starting: ConnectingHandler | null = null;

  constructor({ httpProxy, httpsProxy, noProxy }: ProxySettings) {
    this.proxy = { httpProxy: toProxyUrl(httpProxy), httpsProxy: toProxyUrl(httpsProxy), noProxy };
  }

  /** `connectTimeout` (ms) bounds what a handler cannot give up by itself; the first one of an upstream counts. */
  dispatch(
    upstream: string,
    connectTimeout: number,
    options: Dispatcher.DispatchOptions,
    handler: ConnectingHandler,
  ): void {
    let dispatcher = this.dispatchers.get(upstream);
    if (dispatcher === undefined) {
      dispatcher = this.createDispatcher(connectTimeout);
      this.dispatchers.set(upstream, dispatcher);
    }
    // A new connection is begun within `dispatch`, which is how it is known for whom it is made.
    this.starting = handler;
    dispatcher.dispatch(options, handler);
    this.starting = null;
  }

  /** Ends every connection, with what is under way on it. */
  async destroy(): Promise<void> {
    await Promise.all(Array.from(this.dispatchers.values(), (dispatcher) => dispatcher.destroy()));
    this.dispatchers.clear();
  }

  private createDispatcher(connectTimeout: number): Dispatcher {
    const options = {
      allowH2: false,
      connectTimeout,
      factory: (origin: string | URL, poolOptions: object) => this.createPool(origin, poolOptions, connectTimeout),
    };
    const { httpProxy = '', httpsProxy = '', noProxy = '' } = this.proxy;
    if (!httpProxy && !httpsProxy) return new Agent(options);
    return new EnvHttpProxyAgent({
      ...options,
      httpProxy,
      httpsProxy,
      noProxy,
      proxyTls: { allowH2: false },
      clientFactory: (origin, { connect }: Pool.Options) =>
        new Pool(origin, {
          ...HTTP_OPTIONS,
          headersTimeout: connectTimeout,
          connect: this.watched(toConnector(connect, connectTimeout)),
        }),
    });
  }

  /** `connect` is a function where a proxy is on the way. */
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
