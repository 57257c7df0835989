export interface BrowserReply {
  /** The URL in the address bar. */
  url: string;
  status: number;
  location: string | null;
  text: string;
  headers: Headers;
}

/** A browser without rendering: cookies by host, redirects step by step, forms of the provider filled in. */
export class OidcBrowser {
  private readonly jars = new Map<string, Map<string, string>>();

  /** `appUrl`: the gateway's public URL; `gatewayUrl`: its real one. */
  constructor(
    private readonly appUrl: string,
    private readonly gatewayUrl: string,
  ) {}

  async get(url: string, init: RequestInit = {}): Promise<BrowserReply> {
    const target = new URL(url, this.appUrl);
    const jar = this.cookiesOf(target);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(target.href.replace(this.appUrl, this.gatewayUrl), {
      redirect: 'manual',
      ...init,
      headers: { ...(cookie && { cookie }), ...init.headers },
    });
    for (const line of response.headers.getSetCookie()) keep(jar, line);
    const location = response.headers.get('location');
    return {
      url: target.href,
      status: response.status,
      location: location && new URL(location, target).href,
      text: await response.text(),
      headers: response.headers,
    };
  }

  /** Cookies of the gateway. */
  get cookies(): Map<string, string> {
    return this.cookiesOf(new URL(this.appUrl));
  }

  /** Signs in at the provider as `login` and consents; resolves to the gateway URL that it redirects to. */
  async authorize(login: string, next = '/'): Promise<string> {
    const start = await this.get(`/api/oidc/start?${new URLSearchParams({ next })}`);
    return this.signInAt(start.location ?? '', login);
  }

  /** Completes the sign-in and returns the final page. */
  async signIn(login: string, next = '/'): Promise<string> {
    const { location } = await this.get(await this.authorize(login, next));
    return (location ?? '').replace(this.appUrl, '');
  }

  async signInAt(authorization: string, login: string): Promise<string> {
    let url = authorization;
    for (let steps = 0; steps < 20; steps++) {
      if (url.startsWith(this.appUrl)) return url;
      const reply = await this.get(url);
      url = reply.location ?? (await this.submit(reply, login)).location ?? '';
    }
    throw new Error(`the provider never sends back: ${url}`);
  }

  /** `GET /api/session` */
  async session() {
    return JSON.parse((await this.get('/api/session')).text);
  }

  private submit({ url, text }: BrowserReply, login: string): Promise<BrowserReply> {
    const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(text) ?? [];
    const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(text) ?? [];
    if (action === '') throw new Error(`no form at ${url}: ${text}`);
    const body = new URLSearchParams({ prompt, ...(prompt === 'login' && { login, password: 'any' }) });
    return this.get(new URL(action, url).href, { method: 'POST', body });
  }

  private cookiesOf({ host }: URL): Map<string, string> {
    const jar = this.jars.get(host) ?? new Map<string, string>();
    this.jars.set(host, jar);
    return jar;
  }
}

/** Cookie paths are ignored: neither side uses one name twice. */
function keep(jar: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(/; */);
  const [name = '', ...value] = pair.split('=');
  const expires = attributes.find((attribute) => /^expires=/i.test(attribute))?.slice('expires='.length);
  if (expires !== undefined && new Date(expires) <= new Date()) jar.delete(name);
  else jar.set(name, value.join('='));
}
