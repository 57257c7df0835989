import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { JWTPayload } from 'jose';
import { parse, stringify } from 'yaml';
import { ProjectsService } from '../src/accounts/projects.service.js';
import { ServiceAccountsService } from '../src/accounts/service-accounts.service.js';
import { UsersService } from '../src/accounts/users.service.js';
import { GATEWAY } from '../src/audit/audit.types.js';
import { ConsoleClient } from './support/console-client.js';
import { eventually } from './support/eventually.js';
import { json } from './support/script.js';
import { ScriptedUpstream } from './support/scripted-upstream.js';
import { TestGateway } from './support/test-gateway.js';
import { ALGORITHMS, TokenIssuer } from './support/token-issuer.js';

interface Issuer {
  issuer: string;
  [key: string]: unknown;
}

/** The configurations of docs/identity-providers.md by their names, with addresses of the test's provider. */
async function documented(): Promise<Issuer[]> {
  const text = await readFile(join(import.meta.dirname, '../docs/identity-providers.md'), 'utf8');
  return [...text.matchAll(/<!-- test: (\w+) -->\n```yaml\n([\s\S]*?)```/g)].map(([, name = '', yaml = '']) => {
    const [entry] = parse(yaml).auth.issuers;
    return { ...entry, issuer: `${provider.url}/${name}` };
  });
}

const provider = await TokenIssuer.start();
const stranger = await ScriptedUpstream.start();
stranger.always(() => json(200, { keys: [] }));
const plain: Issuer = { issuer: provider.url, audience: ['gateway', 'other'] };
const bySubject = { issuer: `${provider.url}/sub`, audience: ['gateway'], user: 'sub', create: true };
const issuers = [plain, bySubject, ...(await documented())];
const gateway = await TestGateway.start({
  env: { SIMULATOR: 'on' },
  config: { 'gateway.yaml': stringify({ auth: { issuers } }) },
});
const [{ id: projectId }] = await Promise.all([
  gateway.services.get(ProjectsService).create('search', GATEWAY),
  gateway.services.get(UsersService).create({ email: 'ada@example.com' }, GATEWAY),
]);
await gateway.services.get(ServiceAccountsService).create(projectId, 'crawler', GATEWAY);
const admin = await ConsoleClient.as(gateway, 'admin');

const CALL = { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hi' }] };

function send(token: string, headers: Record<string, string> = { authorization: `Bearer ${token}` }) {
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(CALL),
  });
}

const ada: JWTPayload = { sub: 'ada-1', email: 'Ada@example.com' };

async function refusal(token: string): Promise<string> {
  const response = await send(token);
  const text = await response.text();
  expect(response.status).toBe(401);
  expect(text).not.toContain(token.slice(0, 30));
  const { error } = JSON.parse(text);
  expect(error.code).toBe('invalid_api_key');
  return error.message;
}

async function identities(display = 'token of 127.0.0.1') {
  const { body } = await admin.get('/api/keys?scope=all&limit=200');
  return body.items.filter(
    (key: { display: string; issuer: string }) => key.display === display && key.issuer === provider.url,
  );
}

describe('a token of an identity provider', () => {
  it('is accepted at every path, in each header for keys', async () => {
    const token = await provider.token(ada);
    expect((await send(token)).status).toBe(200);
    expect((await send(token, { 'x-api-key': token })).status).toBe(200);
    expect((await send(token, { 'x-api-key': token, 'anthropic-version': '2023-06-01' })).status).toBe(200);
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${gateway.url}/v1/models`, { headers })).status).toBe(200);
    const other = await provider.token({ ...ada, jti: 'other' });
    const both = await send(token, { authorization: `Bearer ${token}`, 'x-api-key': other });
    expect(both.status).toBe(401);
  });

  it.each(ALGORITHMS)('may be signed with %s', async (alg) => {
    expect((await send(await provider.token(ada, provider.keyOf(alg)))).status).toBe(200);
  });

  it('is refused with the reason, and never repeated', async () => {
    const now = Math.floor(Date.now() / 1000);
    const signed = (claims: JWTPayload) => provider.token({ ...ada, ...claims });
    expect(await refusal(await signed({ exp: now - 31 }))).toContain('has expired');
    expect((await send(await signed({ exp: now - 20 }))).status).toBe(200);
    expect(await refusal(await signed({ exp: undefined }))).toContain('no valid claim `exp`');
    expect(await refusal(await signed({ nbf: now + 60 }))).toContain('is not valid yet');
    expect(await refusal(await signed({ aud: 'elsewhere' }))).toContain('another audience than gateway or other');
    expect(await refusal(await signed({ iss: stranger.url }))).toContain('issuer that this gateway does not trust');
    expect(await refusal(await signed({ email: 'bob@example.com' }))).toContain('not a user of this gateway');
    expect(await refusal(await signed({ email: undefined }))).toContain('has no claim `email`');
    expect(await refusal(await signed({ email_verified: false }))).toContain('has not verified');
    const token = await signed({});
    expect(await refusal(`${token.slice(0, -20)}${'A'.repeat(20)}`)).toContain('signature');
    expect(stranger.requests).toHaveLength(0);
  });

  it('is never accepted without a signature or by HMAC, and its header names no address to fetch', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = part({ ...ada, iss: provider.url, aud: 'gateway', exp: Math.floor(Date.now() / 1000) + 300 });
    expect(await refusal(`${part({ alg: 'none' })}.${claims}.`)).toContain('is not signed with one of RS256');
    const content = `${part({ alg: 'HS256', kid: 'first' })}.${claims}`;
    const mac = createHmac('sha256', JSON.stringify(provider.keys[0]?.jwk)).update(content).digest('base64url');
    expect(await refusal(`${content}.${mac}`)).toContain('is not signed with one of RS256');
    const jku = part({ alg: 'RS256', kid: 'theirs', jku: `${stranger.url}/keys`, x5u: `${stranger.url}/cert` });
    expect(await refusal(`${jku}.${claims}.AAAA`)).toContain('a key that its issuer does not have');
    expect(stranger.requests).toHaveLength(0);
  });

  it('a token of an identity provider with an unknown key id makes the gateway fetch the keys once in half a minute, and known keys outlive the provider', async () => {
    await refusal(await provider.token(ada, { ...(await provider.addKey('x1')), kid: 'unknown-1' }));
    const before = provider.keyRequests;
    for (const kid of ['unknown-2', 'unknown-3', 'unknown-4']) {
      await refusal(await provider.token(ada, { ...(await provider.addKey(kid)), kid }));
    }
    expect(provider.keyRequests - before).toBeLessThanOrEqual(1);
    provider.isAway = true;
    expect((await send(await provider.token({ ...ada, jti: 'away' }))).status).toBe(200);
    const other = await send(await provider.token({ sub: 's', iss: `${provider.url}/sub`, email: 'x@example.com' }));
    expect(other.status).toBe(503);
    provider.isAway = false;
  });
});

describe('an identity', () => {
  it('is a key without a secret in the list of keys, with its own usage, and cannot be rotated', async () => {
    await send(await provider.token(ada));
    const [identity] = await eventually(async () => {
      const found = await identities();
      return found.some(({ lastUsed }: { lastUsed: unknown }) => lastUsed !== null) && found;
    });
    expect(identity).toMatchObject({
      name: 'ada@example.com',
      status: 'active',
      issuer: provider.url,
      subject: 'ada-1',
    });
    expect(identity.lastUsed).toMatchObject({ model: 'gpt-6-luna' });
    const rows = await gateway.database.query('SELECT count(*)::int AS calls FROM usage_calls WHERE key_id = $1', [
      identity.id,
    ]);
    expect(rows[0]?.calls).toBeGreaterThan(0);
    const { status, body } = await admin.post(`/api/keys/${identity.id}/rotate`, { overlap: 'none' });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('has no secret');
  });

  it('an identity is shown to its caller at GET /v1/key as a key is, with its limits', async () => {
    const [{ id }] = await identities();
    await admin.patch(`/api/keys/${id}`, { limits: { budgetMonthUsd: 5 } });
    const headers = { authorization: `Bearer ${await provider.token({ ...ada, jti: 'shown' })}` };
    const shown = await eventually(async () => {
      const body = JSON.parse(await (await fetch(`${gateway.url}/v1/key`, { headers })).text());
      return body.limits.length > 0 && body;
    });
    expect(shown).toMatchObject({
      ...{ object: 'key', id, name: 'ada@example.com', display: 'token of 127.0.0.1', project: null },
      limits: [{ scope: 'key', budgets: [{ period: 'month', amount_usd: 5 }] }],
    });
    await admin.patch(`/api/keys/${id}`, { limits: { budgetMonthUsd: null } });
  });

  it('can be narrowed to models, limited and disabled, which later tokens do not undo', async () => {
    const [{ id }] = await identities();
    const token = await provider.token({ ...ada, jti: 'narrowed' });
    const patched = await admin.patch(`/api/keys/${id}`, { models: ['gpt-oss-20b'] });
    expect(patched.status).toBe(200);
    await eventually(async () => (await send(token)).status === 404, 2000);
    await admin.patch(`/api/keys/${id}`, { models: null, limits: { requestsPerMinute: 1 } });
    await eventually(async () => (await send(token)).status === 429, 5000);
    await admin.patch(`/api/keys/${id}`, { limits: { requestsPerMinute: null }, disabled: true });
    await eventually(async () => (await send(token)).status === 401, 2000);
    expect(await refusal(await provider.token({ ...ada, jti: 'later' }))).toContain('(token of 127.0.0.1) is disabled');
    await admin.patch(`/api/keys/${id}`, { disabled: false });
    await eventually(async () => (await send(token)).status === 200, 2000);
    expect(await identities()).toHaveLength(1);
  });

  it('is refused within a second after its user is disabled', async () => {
    const { id } = await gateway.services.get(UsersService).create({ email: 'leaver@example.com' }, GATEWAY);
    const token = await provider.token({ sub: 'leaver', email: 'leaver@example.com' });
    expect((await send(token)).status).toBe(200);
    await gateway.services.get(UsersService).update(id, { disabled: true }, GATEWAY);
    await eventually(async () => (await send(token)).status !== 200, 1500);
  });

  it('an identity of a person found by subject is created with a verified address only', async () => {
    const claims = { sub: 'new-1', iss: `${provider.url}/sub`, email: 'new@example.com', name: 'New' };
    await eventually(
      async () => (await send(await provider.token({ ...claims, email_verified: true }))).status === 200,
      15_000,
    );
    expect(await refusal(await provider.token({ ...claims, sub: 'new-2', email_verified: false }))).toContain(
      'without a verified e-mail address',
    );
  });

  it('costs a known token no query', async () => {
    const token = await provider.token({ ...ada, jti: 'cached' });
    const headers = { authorization: `Bearer ${token}` };
    await fetch(`${gateway.url}/v1/models`, { headers });
    await gateway.database.query('ALTER TABLE api_keys RENAME TO hidden_keys');
    try {
      for (let i = 0; i < 5; i++) expect((await fetch(`${gateway.url}/v1/models`, { headers })).status).toBe(200);
    } finally {
      await gateway.database.query('ALTER TABLE hidden_keys RENAME TO api_keys');
    }
  });
});

describe('the configuration in the docs', () => {
  const entra = { aud: '11111111-2222-3333-4444-555555555555', roles: ['Gateway.Call'] };
  const github = { aud: 'gateway', repository_owner: 'acme' };

  it.each([
    ['kubernetes', { sub: 'system:serviceaccount:prod:crawler', aud: ['gateway'] }, 'crawler'],
    ['entra', { ...entra, sub: 'e-1', preferred_username: 'ada@example.com' }, 'ada@example.com'],
    ['entra', { ...entra, sub: '22222222-3333-4444-5555-666666666666' }, 'crawler'],
    [
      'okta',
      { aud: 'api://gateway', sub: 'grace', email: 'grace@example.com', groups: ['ai-users'] },
      'grace@example.com',
    ],
    [
      'keycloak',
      {
        aud: ['account', 'gateway'],
        sub: 'k-1',
        email: 'ada@example.com',
        realm_access: { roles: ['gateway'] },
        team: 'search',
      },
      '127.0.0.1',
    ],
    ['github', { ...github, sub: 'repo:acme/app:ref:refs/heads/main' }, 'crawler'],
  ])(
    'the configuration in the docs of %s accepts its tokens, whose calls count for their owner',
    async (name, claims, owner) => {
      const response = await send(await provider.token({ ...claims, iss: `${provider.url}/${name}` }));
      expect(response.status).toBe(200);
      const [row] = await gateway.database.query(
        `SELECT coalesce(u.email, u.name) AS owner, p.name AS project FROM api_keys k JOIN users u ON u.id = k.user_id
         LEFT JOIN projects p ON p.id = u.project_id WHERE k.issuer = $1 AND k.subject = $2`,
        [`${provider.url}/${name}`, claims.sub],
      );
      expect(row).toEqual({ owner, project: owner.includes('@') ? null : 'search' });
    },
  );

  it.each([
    ['entra', { ...entra, sub: 'e-2', preferred_username: 'ada@example.com', roles: ['Other'] }, 'claim `roles`'],
    ['okta', { aud: 'api://gateway', sub: 'x', email: 'x@example.com' }, 'claim `groups`'],
    ['github', { ...github, sub: 'repo:acme/app:ref:refs/heads/dev' }, 'its subject is not one of `subjects`'],
    ['github', { ...github, sub: 'repo:acme/app:ref:refs/heads/main', repository_owner: 'evil' }, '`repository_owner`'],
  ])('the configuration in the docs of %s refuses others', async (name, claims, reason) => {
    expect(await refusal(await provider.token({ ...claims, iss: `${provider.url}/${name}` }))).toContain(reason);
  });

  it('refuses a disabled person also where the calls count for a project', async () => {
    const { id } = await gateway.services.get(UsersService).create({ email: 'kim@example.com' }, GATEWAY);
    const claims = {
      aud: 'gateway',
      sub: 'kim',
      email: 'kim@example.com',
      realm_access: { roles: ['gateway'] },
      team: 'search',
    };
    const token = await provider.token({ ...claims, iss: `${provider.url}/keycloak` });
    expect((await send(token)).status).toBe(200);
    await gateway.services.get(UsersService).update(id, { disabled: true }, GATEWAY);
    await eventually(async () => (await send(token)).status !== 200, 1500);
  });
});
