import type { TestGateway, TestPerson } from './test-gateway.js';

export interface ConsoleReply<Body = unknown> {
  status: number;
  headers: Headers;
  /** The parsed JSON; null if there is none. */
  body: Body;
}

/** The first three bytes of a file in hex: reading a response as text drops the byte order mark. */
export async function firstBytes({ url, cookies }: ConsoleClient, path: string): Promise<string> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const bytes = await (await fetch(url + path, { headers: { cookie } })).bytes();
  return Buffer.from(bytes.subarray(0, 3)).toString('hex');
}

// biome-ignore lint/suspicious/noExplicitAny: tests check the content of an answer.
type Json = any;

/** A browser at the console's API; it only keeps cookies. */
export class ConsoleClient {
  readonly cookies = new Map<string, string>();
  /** Sent with each request. */
  headers: Record<string, string> = {};

  private constructor(
    readonly url: string,
    private readonly person: TestPerson | null,
  ) {}

  /** Not signed in. */
  static of(gateway: { url: string }): ConsoleClient {
    return new ConsoleClient(gateway.url, null);
  }

  /** A new person with this role, signed in. */
  static async as(gateway: TestGateway, role: 'admin' | 'member'): Promise<ConsoleClient> {
    return ConsoleClient.signIn(gateway, await gateway.createPerson({ role }));
  }

  static async signIn(gateway: { url: string }, person: TestPerson): Promise<ConsoleClient> {
    const client = new ConsoleClient(gateway.url, person);
    const { email, password } = person;
    const { status, body } = await client.post('/api/session', { email, password });
    if (status !== 200) throw new Error(`${email} cannot sign in: ${JSON.stringify(body)}`);
    return client;
  }

  get user(): TestPerson {
    if (!this.person) throw new Error('nobody is signed in');
    return this.person;
  }

  get(path: string): Promise<ConsoleReply<Json>> {
    return this.send('GET', path);
  }

  put(path: string, body?: unknown): Promise<ConsoleReply<Json>> {
    return this.send('PUT', path, body);
  }

  post(path: string, body?: unknown): Promise<ConsoleReply<Json>> {
    return this.send('POST', path, body);
  }

  patch(path: string, body: unknown): Promise<ConsoleReply<Json>> {
    return this.send('PATCH', path, body);
  }

  delete(path: string): Promise<ConsoleReply<Json>> {
    return this.send('DELETE', path);
  }

  async send(method: string, path: string, body?: unknown): Promise<ConsoleReply<Json>> {
    const response = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...this.cookieHeader(),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...this.headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    for (const cookie of response.headers.getSetCookie()) this.keep(cookie);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text || null };
  }

  private cookieHeader(): Record<string, string> {
    if (this.cookies.size === 0) return {};
    return { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  }

  private keep(cookie: string): void {
    const [pair = '', ...attributes] = cookie.split(/; */);
    const [name = '', value = ''] = pair.split('=');
    const expires = attributes.find((attribute) => /^expires=/i.test(attribute))?.slice('expires='.length);
    if (expires !== undefined && new Date(expires) <= new Date()) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
