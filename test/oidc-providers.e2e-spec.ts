import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ConnectProxy } from './support/connect-proxy.js';
import { OidcBrowser } from './support/oidc-browser.js';
import { CLIENT_ID, OidcServer } from './support/oidc-server.js';
import { ScriptedOidcServer, type TokenScript } from './support/scripted-oidc-server.js';
import { createMigratedDatabase, type TestDatabase } from './support/test-database.js';
import { TestGateway } from './support/test-gateway.js';

const APP_URL = 'http://gateway.test';

let database: TestDatabase;
const open: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  database = await createMigratedDatabase();
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.stop();
});

async function startGateway(issuer: string, oidc = '', env: Record<string, string> = {}): Promise<TestGateway> {
  const config = { 'gateway.yaml': `signIn: { oidc: { issuer: "${issuer}", clientId: ${CLIENT_ID} ${oidc} } }` };
  const gateway = await TestGateway.start({ env: { APP_URL, ...env }, config, database });
  open.push(gateway);
  return gateway;
}

const reasonOf = (location: string | null) => new URL(location ?? '', APP_URL).searchParams.get('reason');
const appUrlOf = (env: Record<string, string>) => env.APP_URL ?? APP_URL;

describe('a provider with invalid responses', () => {
  let provider: ScriptedOidcServer;
  let gateway: TestGateway;
  beforeAll(async () => {
    provider = await ScriptedOidcServer.start();
    const config = {
      'gateway.yaml': `signIn: { oidc: { issuer: "${provider.issuer}", clientId: ${CLIENT_ID}, memberGroups: [staff] } }`,
    };
    gateway = await TestGateway.start({ env: { APP_URL }, config, database });
  });

  const TRUE = { email: 'someone@example.com', email_verified: true, groups: ['staff'] };
  async function signIn(script: TokenScript): Promise<string | null> {
    provider.script = script;
    const browser = new OidcBrowser(APP_URL, gateway.url);
    const { location } = await browser.get('/api/oidc/start');
    const reply = await browser.get(provider.authorize(location ?? ''));
    const isSignedIn = (await browser.session()).user !== null;
    expect(isSignedIn).toBe(reasonOf(reply.location) === null);
    return reasonOf(reply.location);
  }
  const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

  it('signs people in if its response is valid', async () => {
    expect(await signIn({ claims: TRUE })).toBeNull();
  });

  it.each<[string, TokenScript]>([
    ['the nonce of another sign-in', { claims: { ...TRUE, nonce: 'another' } }],
    ['no nonce', { claims: { ...TRUE, nonce: undefined } }],
    ['another audience', { claims: { ...TRUE, aud: 'another' } }],
    ['another issuer', { claims: { ...TRUE, iss: 'https://another.example' } }],
    ['no subject', { claims: { ...TRUE, sub: undefined } }],
    ['a time that is over', { claims: { ...TRUE, exp: inSeconds(-120) } }],
    ['no signature', { claims: TRUE, header: { alg: 'none' } }],
    ['the signature of a key that is not shown', { claims: TRUE, strangeKey: true }],
    ['a signature by the secret that everybody knows', { claims: TRUE, header: { alg: 'HS256' } }],
    ['somebody else in userinfo', { claims: { email: TRUE.email }, userinfo: { ...TRUE, sub: 'another' } }],
    ['no ID token', { answer: { status: 200, body: '{"access_token":"x","token_type":"bearer"}' } }],
  ])('is rejected: %s', async (_, script) => {
    expect(await signIn(script)).toBe('invalid_answer');
  });

  it.each([
    [
      'is refused by it',
      { status: 400, body: '{"error":"invalid_client","error_description":"wrong secret"}' },
      'provider_refused',
    ],
    ['meets an error page', { status: 502, body: '<h1>Bad gateway</h1>', type: 'text/html' }, 'provider_unreachable'],
    ['meets no JSON', { status: 200, body: 'nothing' }, 'provider_unreachable'],
    ['meets an answer without end', { status: 200, body: `"${'x'.repeat(2 * 1024 ** 2)}"` }, 'provider_unreachable'],
  ])('the gateway %s, and reports it', async (_, answer, reason) => {
    expect(await signIn({ answer })).toBe(reason);
  });

  it('its message is logged for administrators', () => {
    expect(JSON.stringify(gateway.log)).toContain('invalid_client: wrong secret');
  });
});

describe('an unavailable provider', () => {
  it('does not stop the gateway, and is contacted again at the next sign-in', async () => {
    const first = await OidcServer.start({ appUrl: APP_URL });
    const { port, issuer } = first;
    await first.stop();
    const gateway = await startGateway(issuer, '', { OIDC_CLIENT_SECRET: 'x' });
    const browser = new OidcBrowser(APP_URL, gateway.url);
    expect(reasonOf((await browser.get('/api/oidc/start')).location)).toBe('provider_unreachable');
    expect((await browser.get('/health/ready')).status).toBe(200);
    const client = { client_secret: 'x' };
    const provider = await OidcServer.start({ appUrl: APP_URL, port, client });
    provider.people.set('up', { email: 'up@example.com', email_verified: true });
    expect(await browser.signIn('up', '/keys')).toBe('/keys');
    const callback = await new OidcBrowser(APP_URL, gateway.url).authorize('up');
    expect(callback).toContain('code=');
    const late = new OidcBrowser(APP_URL, gateway.url);
    const url = await late.authorize('up');
    await provider.stop();
    expect(reasonOf((await late.get(url)).location)).toBe('provider_unreachable');
    const again = await OidcServer.start({ appUrl: APP_URL, port, client });
    open.push(again);
    again.people.set('up', { email: 'up@example.com', email_verified: true });
    expect(await late.signIn('up')).toBe('/');
  });

  it('is reported differently from a wrong issuer at its address', async () => {
    const provider = await ScriptedOidcServer.start();
    open.push(provider);
    provider.metadata = { issuer: 'https://another.example' };
    const gateway = await startGateway(provider.issuer);
    const browser = new OidcBrowser(APP_URL, gateway.url);
    expect(reasonOf((await browser.get('/api/oidc/start')).location)).toBe('invalid_answer');
  });
});

describe('the gateway as a client of its provider', () => {
  it.each([
    ['is a public client without a secret', 'public', { token_endpoint_auth_method: 'none' as const }, {}],
    ['shows its secret in the header', 'basic', { client_secret: 'se:cret %' }, { OIDC_CLIENT_SECRET: 'se:cret %' }],
  ])('%s, and reads claims from the ID token', async (_, name, client, env) => {
    const provider = await OidcServer.start({ appUrl: APP_URL, client, claimsInIdToken: true });
    open.push(provider);
    const gateway = await startGateway(provider.issuer, ', adminGroups: [boss]', env);
    provider.people.set(name, { email: `${name}@example.com`, email_verified: true, groups: ['boss'] });
    const browser = new OidcBrowser(APP_URL, gateway.url);
    expect(await browser.signIn(name)).toBe('/');
    expect((await browser.session()).user.role).toBe('admin');
    expect(provider.requested).not.toContain('/me');
  });

  it('sends its secret in the body if the provider accepts it only there', async () => {
    const provider = await ScriptedOidcServer.start();
    open.push(provider);
    provider.metadata = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
    provider.script = { claims: { email: 'post@example.com', email_verified: 'true', groups: [] } };
    const gateway = await startGateway(provider.issuer, '', { OIDC_CLIENT_SECRET: 'hunter2' });
    const browser = new OidcBrowser(APP_URL, gateway.url);
    const { location } = await browser.get('/api/oidc/start');
    expect((await browser.get(provider.authorize(location ?? ''))).location).toBe(`${APP_URL}/`);
    const [exchange] = provider.exchanges;
    expect([exchange?.authorization, exchange?.body.get('client_secret')]).toEqual([undefined, 'hunter2']);
    expect(JSON.stringify(gateway.log)).not.toContain('hunter2');
  });

  it('uses the proxy of all outbound calls', async () => {
    const proxy = await ConnectProxy.start();
    const provider = await OidcServer.start({ appUrl: APP_URL, client: { token_endpoint_auth_method: 'none' } });
    open.push({ stop: () => proxy.close() }, provider);
    const gateway = await startGateway(provider.issuer, '', { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url });
    provider.people.set('far', { email: 'far@example.com', email_verified: true });
    expect(await new OidcBrowser(APP_URL, gateway.url).signIn('far')).toBe('/');
    expect(proxy.seen.join()).toContain(new URL(provider.issuer).host);
  });

  it('limits its cookies to this host and to TLS behind an https address', async () => {
    const env = { APP_URL: 'https://gateway.test' };
    const provider = await OidcServer.start({ appUrl: appUrlOf(env), client: { token_endpoint_auth_method: 'none' } });
    open.push(provider);
    const gateway = await startGateway(provider.issuer, '', env);
    provider.people.set('tls', { email: 'tls@example.com', email_verified: true });
    const browser = new OidcBrowser(appUrlOf(env), gateway.url);
    const { headers } = await browser.get('/api/oidc/start');
    expect(headers.getSetCookie()[0]).toMatch(/^__Host-gateway_oidc=.*; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/);
    expect(await browser.signIn('tls')).toBe('/');
    expect([...browser.cookies.keys()].sort()).toEqual(['__Host-gateway_oidc', '__Host-gateway_session']);
  });
});

describe('the settings', () => {
  const CLIENT = { token_endpoint_auth_method: 'none' as const };
  async function signIn(name: string, claims: object, rules: string) {
    const provider = await OidcServer.start({ appUrl: APP_URL, client: CLIENT });
    open.push(provider);
    const gateway = await startGateway(provider.issuer, `, ${rules}`);
    provider.people.set(name, { email: `${name}@example.com`, ...claims });
    const browser = new OidcBrowser(APP_URL, gateway.url);
    return { browser, gateway, page: await browser.signIn(name) };
  }

  it('can accept unverified addresses, but not to link an existing user', async () => {
    const { page } = await signIn('silent', {}, 'requireVerifiedEmail: false');
    expect(page).toBe('/');
    const denied = await signIn('denied', { email_verified: false }, 'requireVerifiedEmail: false');
    expect(reasonOf(denied.page)).toBe('email_not_verified');
    await denied.gateway.createPerson({ email: 'there@example.com' });
    const { page: taken } = await signIn('there', {}, 'requireVerifiedEmail: false');
    expect(reasonOf(taken)).toBe('account_exists');
  });

  it('can name a new provider: users are recognized by a verified address', async () => {
    const before = await signIn('mover', { email_verified: true }, 'plans: {}');
    const { user } = await before.browser.session();
    const unverified = await signIn('mover', {}, 'requireVerifiedEmail: false');
    expect(reasonOf(unverified.page)).toBe('account_exists');
    const after = await signIn('mover', { email_verified: true }, 'plans: {}');
    expect((await after.browser.session()).user).toEqual(user);
  });

  it('leave roles to administrators if no groups are configured', async () => {
    const { browser, gateway } = await signIn('local-boss', { email_verified: true }, 'adminGroups: []');
    await gateway.database.query("UPDATE users SET role = 'admin' WHERE email = 'local-boss@example.com'");
    await browser.signIn('local-boss');
    expect((await browser.session()).user.role).toBe('admin');
  });

  it('can end a plan unless the user signs in again', async () => {
    const claims = { email_verified: true, roles: ['x'] };
    const rules = 'groupsClaim: roles, plans: { x: pro }, planLifetime: 30d, scopes: [openid, email]';
    const { browser } = await signIn('monthly', claims, rules);
    expect((await browser.session()).plan.id).toBe('pro');
    const end = async () => {
      const sql = "SELECT ends_at FROM plan_grants JOIN users u ON u.id = user_id WHERE email = 'monthly@example.com'";
      const rows = await database.query<{ ends_at: Date }>(sql);
      expect(rows).toHaveLength(1);
      return rows[0]?.ends_at.getTime() ?? 0;
    };
    const first = await end();
    expect(Math.abs(first - Date.now() - 30 * 86_400_000)).toBeLessThan(60_000);
    await browser.signIn('monthly');
    expect(await end()).toBeGreaterThan(first);
  });
});

describe('without single sign-on', () => {
  it('its URLs lead to a page that says so', async () => {
    const gateway = await TestGateway.start({ database });
    open.push(gateway);
    const browser = new OidcBrowser(APP_URL, gateway.url);
    for (const path of ['/api/oidc/start', '/api/oidc/callback?code=x&state=y']) {
      expect(reasonOf((await browser.get(path)).location)).toBe('not_configured');
    }
    expect((await browser.session()).signIn.oidc).toEqual([]);
  });
});
