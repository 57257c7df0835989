import { describe, expect, it } from '@jest/globals';
import type { OidcBrowser } from './support/oidc-browser.js';
import { CLIENT_ID } from './support/oidc-server.js';
import { OidcTest } from './support/oidc-test.js';

const test = await OidcTest.start();

describe('a sign-in', () => {
  it('creates a member at first, finds it at the next sign-in, and continues to the requested page', async () => {
    const alice = test.person('alice', { name: 'Alice <b>Example</b>' });
    const first = test.browser();
    expect(await first.signIn(alice, '/keys?status=active')).toBe('/keys?status=active');
    const session = await first.session();
    expect(session.user).toMatchObject({ email: 'alice@example.com', name: 'Alice <b>Example</b>', role: 'member' });
    expect(await test.browser().signIn(alice)).toBe('/');
    expect(await test.user('alice')).toMatchObject({ oidc_issuer: test.provider.issuer, oidc_subject: 'alice' });
    expect(await test.actions('alice')).toEqual(['user.create', 'session.sign_in', 'session.sign_in']);
    expect((await test.audit('alice'))[0]).toMatchObject({
      actor_kind: 'gateway',
      actor_name: 'single sign-on',
      after: { email: 'alice@example.com', role: 'member', kind: 'person', oidcSubject: 'alice' },
    });
  });

  it('requests a code from the provider with PKCE, state, nonce and the public address', async () => {
    const { location, status, headers } = await test.browser().get('/api/oidc/start');
    const { origin, searchParams } = new URL(location ?? '');
    expect([status, origin]).toEqual([302, test.provider.issuer]);
    expect(headers.get('cache-control')).toContain('no-store');
    expect(headers.getSetCookie()[0]).toMatch(
      /^gateway_oidc=[\w-]{43}; Max-Age=600; Path=\/; .*HttpOnly; SameSite=Lax$/,
    );
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: CLIENT_ID,
      response_type: 'code',
      redirect_uri: `${OidcTest.appUrl}/api/oidc/callback`,
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
  });

  it('is offered to people who are not signed in', async () => {
    const { signIn } = await test.browser().session();
    expect(signIn).toMatchObject({
      local: false,
      oidc: [{ id: 'oidc', label: 'Example Login', startUrl: '/api/oidc/start' }],
    });
  });

  it('is the only one when passwords are switched off', async () => {
    const { email, password } = await test.gateway.createPerson();
    const reply = await fetch(`${test.gateway.url}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    expect([reply.status, await reply.json()]).toMatchObject([403, { error: { code: 'local_sign_in_disabled' } }]);
  });

  it('never continues to another site', async () => {
    expect(await test.browser().signIn(test.person('bob'), '//evil.example/')).toBe('/');
  });

  it('can run in two tabs of one browser', async () => {
    const one = test.browser();
    const [first, second] = [await one.authorize(test.person('tabs'), '/keys'), await one.authorize('tabs', '/usage')];
    const replies = [await one.get(first), await one.get(second)];
    expect(replies.map(({ location }) => location)).toEqual([`${OidcTest.appUrl}/keys`, `${OidcTest.appUrl}/usage`]);
  });

  it('leaves no code, state or token in the log', async () => {
    const one = test.browser();
    const callback = await one.authorize(test.person('quiet'));
    await one.get(callback);
    await one.get(callback);
    const { searchParams } = new URL(callback);
    const log = JSON.stringify(test.gateway.log);
    for (const secret of [searchParams.get('code'), searchParams.get('state'), ...one.cookies.values()]) {
      expect(secret).toBeTruthy();
      expect(log).not.toContain(secret);
    }
  });
});

describe('a callback', () => {
  const callback = async (one: OidcBrowser, url: string) => test.failure(one, (await one.get(url)).location ?? '');

  it('is accepted once', async () => {
    const [one, other] = [test.browser(), test.browser()];
    const url = await one.authorize(test.person('replay'));
    await one.get(url);
    other.cookies.set('gateway_oidc', one.cookies.get('gateway_oidc') ?? '');
    expect(await callback(other, url)).toEqual(['expired', []]);
  });

  it('is accepted in one of two simultaneous requests', async () => {
    const one = test.browser();
    const url = await one.authorize(test.person('twice'));
    const replies = await Promise.all([one.get(url), one.get(url)]);
    expect(replies.map(({ location }) => new URL(location ?? '').pathname).sort()).toEqual(['/', '/sign-in-error']);
  });

  it.each([
    ['another state', (url: URL) => url.searchParams.set('state', 'x'.repeat(43))],
    ['no state', (url: URL) => url.searchParams.delete('state')],
  ])('a callback with %s is refused', async (_, change) => {
    const one = test.browser();
    const url = new URL(await one.authorize(test.person('state')));
    change(url);
    expect(await callback(one, url.href)).toEqual(['expired', []]);
  });

  it('a callback in another browser is refused, and invalidates the sign-in', async () => {
    const [one, other] = [test.browser(), test.browser()];
    const url = await one.authorize(test.person('victim'));
    expect(await callback(other, url)).toEqual(['other_browser', []]);
    await other.get('/api/oidc/start');
    expect(await callback(other, url)).toEqual(['expired', []]);
    expect(await callback(one, url)).toEqual(['expired', []]);
  });

  it('is refused after ten minutes', async () => {
    const one = test.browser();
    const url = await one.authorize(test.person('late'));
    await test.gateway.database.query("UPDATE oidc_sign_ins SET expires_at = expires_at - interval '10 minutes'");
    expect(await callback(one, url)).toEqual(['expired', []]);
    await one.get('/api/oidc/start');
    await test.gateway.database.query("UPDATE oidc_sign_ins SET expires_at = expires_at - interval '10 minutes'");
    await one.get('/api/oidc/start');
    expect(await test.gateway.database.query('SELECT 1 FROM oidc_sign_ins')).toHaveLength(1);
  });

  it('a callback with a code of another sign-in is refused: it does not match the verifier', async () => {
    const one = test.browser();
    const [first, second] = [await one.authorize(test.person('mixed')), await one.authorize('mixed')].map(
      (url) => new URL(url),
    );
    second?.searchParams.set('code', first?.searchParams.get('code') ?? '');
    expect(await callback(one, second?.href ?? '')).toEqual(['provider_refused', []]);
    expect(await test.user('mixed')).toBeUndefined();
  });

  it('a callback of a person who cancelled at the provider reports it', async () => {
    const one = test.browser();
    const { location } = await one.get('/api/oidc/start');
    const state = new URL(location ?? '').searchParams.get('state') ?? '';
    const text = '<script>alert(1)</script>';
    const answer = { error: 'access_denied', error_description: text, state, iss: test.provider.issuer };
    const reply = await one.get(`/api/oidc/callback?${new URLSearchParams(answer)}`);
    expect(reply.text + reply.location).not.toContain('alert');
    expect(await test.failure(one, reply.location ?? '')).toEqual(['access_denied', []]);
  });

  it('a callback of another provider is refused', async () => {
    const one = test.browser();
    const url = new URL(await one.authorize(test.person('mixup')));
    url.searchParams.set('iss', 'http://127.0.0.1:1');
    expect(await callback(one, url.href)).toEqual(['invalid_answer', []]);
  });
});
