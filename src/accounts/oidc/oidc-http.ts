import type { CustomFetch } from 'openid-client';
import { Agent, type Dispatcher, EnvHttpProxyAgent, fetch as httpFetch } from 'undici';
import { toProxyUrl } from '../../common/proxy-url.js';
import type { Settings } from '../../config/settings.js';

const LIMITS = { connectTimeout: 10_000, keepAliveTimeout: 10_000, maxResponseSize: 1024 ** 2 };

/** The way out to the provider, through the same proxies as all outbound calls. */
export interface OidcHttp {
  readonly fetch: CustomFetch;
  close(): Promise<void>;
}

export function createOidcHttp(proxy: Settings['proxy']): OidcHttp {
  const dispatcher = createDispatcher(proxy);
  return {
    fetch: (url, { body, headers, method, redirect, signal }) =>
      httpFetch(url, { body, headers, method, redirect, signal: signal ?? null, dispatcher }),
    close: () => dispatcher.destroy(),
  };
}

function createDispatcher({ httpProxy, httpsProxy, noProxy = '' }: Settings['proxy']): Dispatcher {
  if (!httpProxy && !httpsProxy) return new Agent(LIMITS);
  const [http = '', https = ''] = [toProxyUrl(httpProxy), toProxyUrl(httpsProxy)];
  return new EnvHttpProxyAgent({ ...LIMITS, httpProxy: http, httpsProxy: https, noProxy });
}
