import { Agent, type Dispatcher, EnvHttpProxyAgent, fetch as httpFetch, type RequestInit, type Response } from 'undici';

const PROTOCOLS = /^(https?|socks5?):$/;
const LIMITS = { connectTimeout: 10_000, keepAliveTimeout: 10_000 };

/** URLs of forward proxies. Without `httpsProxy`, `httpProxy` is used for both. `noProxy`: comma-separated hosts. */
export interface Proxies {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy?: string;
}

/** HTTP to servers other than upstreams, for small responses, through the same proxies. */
export interface OutboundHttp {
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  close(): Promise<void>;
}

/** `maxResponseSize`: bytes. */
export function createOutboundHttp(proxies: Proxies, maxResponseSize = 1024 ** 2): OutboundHttp {
  const dispatcher = createDispatcher(proxies, { ...LIMITS, maxResponseSize });
  return {
    fetch: (url, init = {}) => httpFetch(url, { ...init, dispatcher }),
    close: () => dispatcher.destroy(),
  };
}

function createDispatcher({ httpProxy, httpsProxy, noProxy = '' }: Proxies, limits: Agent.Options): Dispatcher {
  if (!httpProxy && !httpsProxy) return new Agent(limits);
  const [http = '', https = ''] = [toProxyUrl(httpProxy), toProxyUrl(httpsProxy)];
  return new EnvHttpProxyAgent({ ...limits, httpProxy: http, httpsProxy: https, noProxy });
}

/** The address of a forward proxy as a URL; `host:port` is also common. */
export function toProxyUrl(address: string | undefined): string | undefined {
  if (!address) return undefined;
  const url = address.includes('://') ? address : `http://${address}`;
  if (URL.canParse(url) && PROTOCOLS.test(new URL(url).protocol)) return url;
  throw new Error('The address of a proxy is not a valid proxy URL.');
}
