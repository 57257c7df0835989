import { Socket } from 'node:net';
import { buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { toProxyUrl } from '../../common/proxy-url.js';
import { skipInterimResponses } from './interim-responses/interim-responses.js';

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

/** The origin and the options of a request. */
type Options = Dispatcher.DispatchOptions & { origin: string };

/**
 * The kept-alive connections to all upstreams: undici's dispatchers for each, made when they are first used. Where no
 * proxy may be on the way, each origin of an upstream has its pool, which is not to be found anew for each request.
 */
export class Connections {
  private readonly dispatchers = new Map<string, Map<string, Dispatcher>>();
  private readonly proxy: ProxySettings;
  private starting: ConnectingHandler | null = null;

  constructor({ httpProxy, httpsProxy, noProxy }: ProxySettings) {
    this.proxy = { httpProxy: toProxyUrl(httpProxy), httpsProxy: toProxyUrl(httpsProxy), noProxy };
  }

  /** `connectTimeout` (ms) bounds what a handler cannot give up by itself; the first one of an upstream counts. */
  dispatch(upstream: string, connectTimeout: number, options: Options, handler: ConnectingHandler): void {
    let origins = this.dispatchers.get(upstream);
    if (origins === undefined) {
      origins = new Map();
      this.dispatchers.set(upstream, origins);
    }
    let dispatcher = origins.get(options.origin);
    if (dispatcher === undefined) {
      dispatcher = this.createDispatcher(options.origin, connectTimeout);
      origins.set(options.origin, dispatcher);
    }
    // A new connection is begun within `dispatch`, which is how it is known for whom it is made.
    this.starting = handler;
    dispatcher.dispatch(options, handler);
    this.starting = null;
  }

  /** Ends every connection, with what is under way on it. */
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
