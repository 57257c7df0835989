import { describe, expect, it } from '@jest/globals';
import { UsersService } from '../src/accounts/users.service.js';
import { GATEWAY } from '../src/audit/audit.types.js';
import { displayApiKey, newApiKey } from '../src/auth/api-key.secret.js';
import { ApiKeysService } from '../src/auth/api-keys.service.js';
import { type ErrorReply, expectError } from './support/error-reply.js';
import { eventually } from './support/eventually.js';
import { LostTime } from './support/lost-time.js';
import { rawRequest } from './support/raw-http.js';
import { TestGateway } from './support/test-gateway.js';

const routes = [
  ['GET', '/v1/models'],
  ['GET', '/v1/models/gpt-6-luna'],
  ['GET', '/openai/v1/models'],
  ['POST', '/v1/chat/completions'],
  ['POST', '/openai/v1/chat/completions'],
] as const;

const presented: string[] = [];

const gateway = await TestGateway.start({ env: { SIMULATOR: 'on' } });
const user = await gateway.createUser();

/** Sends a text as a key on every route; each must reject it in the same way. */
async function refusals(authorization: string | undefined, expected = { status: 401, code: 'invalid_api_key' }) {
  const replies: ErrorReply[] = [];
  for (const [method, path] of routes) {
    const response = await fetch(gateway.url + path, { method, headers: authorization ? { authorization } : {} });
    replies.push(await expectError(response, expected));
  }
  return replies;
}

describe('a request is rejected with 401 and a challenge', () => {
  it.each([
    ['no key', undefined],
    ['an empty header', 'Bearer'],
    ['no scheme', newApiKey()],
    ['another scheme', `Basic ${Buffer.from(`user:${newApiKey()}`).toString('base64')}`],
    ['something behind the key', `Bearer ${newApiKey()} more`],
    ['two keys in one header', `Bearer ${newApiKey()}, Bearer ${newApiKey()}`],
    ['a key of another vendor', 'Bearer sk-proj-0123456789abcdefghijklmnopqrstuvwxyz'],
    ['a malformed key', 'Bearer svc_short'],
    ['a mistyped key', `Bearer ${newApiKey().slice(0, -1)}!`],
    ['a key with a wrong checksum', `Bearer ${newApiKey().slice(0, -6)}000000`],
    ['an unknown key', `Bearer ${newApiKey()}`],
    ['a very long key', `Bearer svc_${'a'.repeat(7000)}`],
  ])('a request is rejected with 401 and a challenge for %s', async (_, authorization) => {
    if (authorization) presented.push(authorization);
    for (const { headers } of await refusals(authorization)) expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  it('a request is rejected with 401 and a challenge for a key that was revoked, is disabled, or has expired', async () => {
    const [revoked, disabled, expired] = await Promise.all([
      gateway.createUser(),
      gateway.createUser(),
      gateway.createUser(),
    ]);
    expect((await gateway.get('/v1/models', expired.headers)).status).toBe(200);
    await gateway.services.get(ApiKeysService).revoke({ id: revoked.key.id }, GATEWAY);
    await gateway.database.query('UPDATE api_keys SET disabled_at = now() WHERE id = $1', [disabled.key.id]);
    await gateway.database.query(
      `WITH expired AS (UPDATE api_keys SET expires_at = now() WHERE id = $1 RETURNING id)
       SELECT pg_notify('caller_changed', 'key:' || id) FROM expired`,
      [expired.key.id],
    );
    await untilStatus(401, expired.headers);
    for (const { headers, key } of [revoked, disabled, expired]) {
      presented.push(key.key);
      const [{ message } = { message: '' }] = await refusals(headers.authorization);
      expect(message).toContain(key.display);
    }
  });

  it('a request is rejected with 401 and a challenge for another scheme together with a key in another header, naming the header to remove', async () => {
    const headers = { authorization: 'Basic dXNlcjpwYXNz', 'x-api-key': user.key.key };
    const reply = await gateway.get('/v1/models', headers);
    const { message } = await expectError(reply, { status: 401, code: 'invalid_api_key' });
    expect(message).toMatch(/Authorization header contains no API key.+Remove it/);
  });

  it('a request is rejected with 401 and a challenge for a key outside the headers for keys', async () => {
    const { key } = user.key;
    const cookie = `authorization=Bearer ${key}; api-key=${key}; x-api-key=${key}`;
    await expectError(await gateway.get('/v1/models', { cookie }), { status: 401, code: 'invalid_api_key' });
    const inQuery = `/v1/models?api_key=${key}&authorization=Bearer%20${key}`;
    await expectError(await gateway.get(inQuery), { status: 401, code: 'invalid_api_key' });
    presented.push(key);
  });

  it('a request is rejected with 401 and a challenge for two Authorization headers, equal or not, in any order', async () => {
    const valid = `Authorization: ${user.headers.authorization}\r\n`;
    const other = `authorization: Bearer ${newApiKey()}\r\n`;
    for (const pair of [valid + valid, valid + other, other + valid]) {
      const reply = await rawRequest(gateway.url, `GET /v1/models HTTP/1.1\r\nHost: x\r\n${pair}\r\n`);
      await expectError(reply, { status: 401, code: 'invalid_api_key' });
    }
  });

  it.each(['x-api-key', 'api-key'])(
    'a request is rejected with 401 and a challenge for another svc_ key in %s',
    async (name) => {
      const refused = await gateway.get('/v1/models', { ...user.headers, [name]: newApiKey() });
      await expectError(refused, { status: 401, code: 'invalid_api_key' });
      for (const harmless of [user.key.key, 'sk-of-another-vendor']) {
        expect((await gateway.get('/v1/models', { ...user.headers, [name]: harmless })).status).toBe(200);
      }
    },
  );
});

it('x-api-key wins over another Bearer key for clients of Anthropic, for this request alone', async () => {
  const other = await gateway.createUser();
  const statusOf = async (headers: Record<string, string>) => (await gateway.get('/v1/models', headers)).status;
  const anthropic = { 'anthropic-version': '2026-10-21' };
  const bearer = { authorization: `Bearer ${newApiKey()}` };
  expect(await statusOf({ ...anthropic, ...bearer, 'x-api-key': other.key.key })).toBe(200);
  expect(
    await statusOf({ ...anthropic, authorization: 'Bearer sk-of-another-vendor', 'x-api-key': other.key.key }),
  ).toBe(200);
  expect(await statusOf(bearer)).toBe(401);
  expect(await statusOf({ ...bearer, 'x-api-key': other.key.key })).toBe(401);
  expect(await statusOf({ ...anthropic, ...other.headers, 'x-api-key': newApiKey() })).toBe(401);
  expect(await statusOf({ ...anthropic, ...other.headers, 'x-api-key': other.key.key })).toBe(200);
  expect(await statusOf({ ...anthropic, ...other.headers })).toBe(200);
});

describe.each(['x-api-key', 'api-key'])('a key in %s only', (name) => {
  it('works like a Bearer key', async () => {
    expect((await gateway.get('/v1/models', { [name]: user.key.key })).status).toBe(200);
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { [name]: user.key.key, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1 }),
    });
    expect(response.status).toBe(200);
  });

  it.each([
    ['unknown', newApiKey()],
    ['mistyped', `${newApiKey().slice(0, -6)}aaaaaa`],
    ['of another vendor', 'sk-ant-0123456789abcdefghijklmnopqrstuvwxyz'],
    ['behind a scheme', `Bearer ${newApiKey()}`],
    ['empty', ''],
  ])('is rejected when it is %s', async (_what, value) => {
    presented.push(value);
    const { headers } = await expectError(await gateway.get('/v1/models', { [name]: value }), {
      status: 401,
      code: 'invalid_api_key',
    });
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  it('is rejected when it is repeated or not the only one', async () => {
    const other = name === 'api-key' ? 'x-api-key' : 'api-key';
    await expectError(await gateway.get('/v1/models', { [name]: user.key.key, [other]: newApiKey() }), {
      status: 401,
      code: 'invalid_api_key',
    });
    expect((await gateway.get('/v1/models', { [name]: user.key.key, [other]: user.key.key })).status).toBe(200);
    const line = `${name}: ${user.key.key}\r\n`;
    const twice = await rawRequest(gateway.url, `GET /v1/models HTTP/1.1\r\nHost: x\r\n${line}${line}\r\n`);
    await expectError(twice, { status: 401, code: 'invalid_api_key' });
  });

  it('does not replace an invalid Authorization header', async () => {
    for (const authorization of ['Basic dXNlcjpwYXNz', 'Bearer sk-of-another-vendor', 'Bearer ']) {
      const refused = await gateway.get('/v1/models', { authorization, [name]: user.key.key });
      await expectError(refused, { status: 401, code: 'invalid_api_key' });
    }
  });
});

describe('a key is accepted', () => {
  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR  '])('a key is accepted with the scheme %j', async (scheme) => {
    const headers = { authorization: `${scheme} ${user.key.key}` };
    expect((await gateway.get('/v1/models', headers)).status).toBe(200);
  });

  it('a key is accepted until it expires', async () => {
    const expiresAt = new Date(Date.now() + 3000);
    const { headers } = await gateway.createUser({ expiresAt });
    const lost = new LostTime();
    let last = 0;
    while (Date.now() < expiresAt.getTime() + 200) {
      const requested = Date.now();
      const { status } = await gateway.get('/v1/models', headers);
      if (status === 200) last = requested;
      else expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime());
    }
    expect(last).toBeLessThan(expiresAt.getTime());
    expect(last).toBeGreaterThan(expiresAt.getTime() - 1500 - lost.stop());
  });
});

describe('a request is rejected with 403', () => {
  const notAllowed = { status: 403, type: 'permission_error' };

  it("a request is rejected with 403 when the key's owner is disabled, until the owner is enabled again", async () => {
    const { email, headers } = await gateway.createUser();
    const users = gateway.services.get(UsersService);
    expect((await gateway.get('/v1/models', headers)).status).toBe(200);
    await users.setDisabled(email, true, GATEWAY);
    await untilStatus(403, headers);
    await refusals(headers.authorization, { ...notAllowed, code: 'insufficient_permissions' });
    await users.setDisabled(email, false, GATEWAY);
    await untilStatus(200, headers);
  });

  it("a request is rejected with 403 when its address is not on the key's list, whatever its headers claim", async () => {
    const inside = await gateway.createUser({ addresses: ['127.0.0.0/8'] });
    const outside = await gateway.createUser({ addresses: ['203.0.113.0/24', '2001:db8::/32'] });
    expect((await gateway.get('/v1/models', inside.headers)).status).toBe(200);
    const message = { 'x-forwarded-for': '203.0.113.7', 'x-real-ip': '203.0.113.7', forwarded: 'for=203.0.113.7' };
    expect((await gateway.get('/v1/models', { ...inside.headers, ...message })).status).toBe(200);
    await expectError(await gateway.get('/v1/models', { ...outside.headers, ...message }), {
      ...notAllowed,
      code: 'ip_not_allowed',
    });
    await refusals(outside.headers.authorization, { ...notAllowed, code: 'ip_not_allowed' });
  });
});

describe('authentication happens before the body is read', () => {
  const head = 'POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

  it.each([
    ['is no JSON', { body: '{"model":' }],
    ['is over the limit', { body: 'x'.repeat(40 * 1024 * 1024) }],
    ['is of another type', { body: '<a/>', headers: { 'content-type': 'text/xml' } }],
    ['is in an unknown coding', { body: '{}', headers: { 'content-encoding': 'zstd9' } }],
  ])('authentication happens before the body is read when the body %s', async (_, init: RequestInit) => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      ...init,
      headers: { 'content-type': 'application/json', ...init.headers },
    });
    await expectError(response, { status: 401, code: 'invalid_api_key' });
  });

  it('authentication happens before the body is read when a chunked body is announced and never sent', async () => {
    const reply = await rawRequest(gateway.url, `${head}Transfer-Encoding: chunked\r\n\r\n`);
    await expectError(reply, { status: 401, code: 'invalid_api_key' });
  });

  it('authentication happens before the body is read when megabytes are announced and only a few bytes come', async () => {
    const unknown = `${head}Authorization: Bearer ${newApiKey()}\r\nContent-Length: 30000000\r\n\r\n{"mod`;
    await expectError(await rawRequest(gateway.url, unknown), { status: 401, code: 'invalid_api_key' });
  });
});

describe('a presented key', () => {
  it('is shown only in its display form, in replies and logs', async () => {
    const mistyped = `${newApiKey().slice(0, -6)}aaaaaa`;
    const { key } = user.key;
    const model = `look-${key}`;
    const replies = await Promise.all([
      gateway.get('/v1/models', { authorization: `Bearer ${mistyped}` }),
      gateway.get('/v1/models', { authorization: `Bearer ${mistyped}?` }),
      gateway.get(`/v1/models/${key}`, user.headers),
      gateway.get(`/v1/${key}?key=${key}`, user.headers),
      gateway.complete(user, { model, messages: [{ role: 'user', content: 'My secret prompt.' }] }),
      gateway.complete(user, { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'My secret prompt.' }] }),
      gateway.complete(user, { model: 'gpt-6-luna', messages: [{ role: 'My secret prompt.', content: key }] }),
    ]);
    const reported = (await Promise.all(replies.map((reply) => reply.text()))).join('\n');
    expect(reported).toContain(displayApiKey(mistyped));
    const requestIds = replies.map(({ headers }) => headers.get('x-request-id'));
    await eventually(() => requestIds.every((id) => gateway.log.some(({ requestId }) => requestId === id)));
    const logged = gateway.log.map((line) => JSON.stringify(line)).join('\n');
    expect(logged).toContain('/v1/chat/completions');
    expect(logged).not.toContain('My secret prompt');
    expect(reported.replace(/.*"chat\.completion".*/g, '')).not.toContain('My secret prompt');
    const secrets = [mistyped, key, ...presented.map((text) => text.replace(/^.* /, ''))];
    for (const secret of secrets.filter(({ length }) => length > 20)) {
      expect(reported).not.toContain(secret.slice(4, -4));
      expect(logged).not.toContain(secret.slice(4, -4));
    }
  });

  it('is stored as a hash only', async () => {
    const rows = await gateway.database.query('SELECT * FROM api_keys');
    const text = JSON.stringify(rows.map((row) => ({ ...row, key_hash: row.key_hash.toString('latin1') })));
    expect(text).toContain(user.key.display);
    expect(text).not.toContain(user.key.key.slice(4, -4));
  });
});

async function untilStatus(status: number, headers: Record<string, string>): Promise<void> {
  await eventually(async () => (await gateway.get('/v1/models', headers)).status === status, 1000);
}
