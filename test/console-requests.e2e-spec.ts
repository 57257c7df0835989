import { describe, expect, it } from '@jest/globals';
import { ConsoleClient } from './support/console-client.js';
import { coreMsOf } from './support/core-time.js';
import { TestGateway } from './support/test-gateway.js';

const gateway = await TestGateway.start();
const admin = await ConsoleClient.as(gateway, 'admin');
const memberId: string = (await gateway.createPerson()).id;

/** A body as it stands, JSON or not. */
async function send(path: string, body: string, method = 'POST') {
  const [[name, value] = []] = admin.cookies;
  const headers = { 'content-type': 'application/json', cookie: `${name}=${value}` };
  const response = await fetch(gateway.url + path, { method, headers, body });
  return { status: response.status, body: (await response.json()) as { error: Record<string, unknown> } };
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const fields = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":1`).join()}}`;

describe('a body of the console’s API', () => {
  it.each([
    ['a list', '[]'],
    ['null', 'null'],
    ['a text', '"{}"'],
    ['a deep list', nested(900)],
  ])('is refused when it is %s', async (_, body) => {
    for (const path of ['/api/session', '/api/keys']) {
      const refused = { status: 400, body: { error: { type: 'invalid_request_error', code: 'invalid_type' } } };
      expect(await send(path, body)).toMatchObject(refused);
    }
  });

  it.each([
    ['an object', '{"a":1}'],
    ['a deep list', nested(900)],
    ['what other objects are made of', '{"toString":1,"length":20,"__proto__":{"role":"admin"}}'],
  ])('is refused with the name of the field if that contains %s', async (_, value) => {
    const refused = { status: 400, body: { error: { param: 'name', code: 'invalid_type' } } };
    expect(await send('/api/keys', `{"name":${value}}`)).toMatchObject(refused);
  });

  it('is refused before it is read completely if it is nested too deep', async () => {
    const refused = { status: 413, body: { error: { type: 'invalid_request_error', code: 'request_too_large' } } };
    for (const body of [nested(20_000), `{"name":${nested(20_000)}}`]) {
      expect(await send('/api/keys', body)).toMatchObject(refused);
    }
  });

  it('cannot block the gateway: thousands of fields, lists or texts are refused quickly', async () => {
    const bodies = [
      fields(5000),
      `{"name":[${nested(1).concat(',').repeat(20_000)}1]}`,
      `{"name":"${'x'.repeat(2e6)}"}`,
    ];
    for (const body of bodies) {
      const ms = await coreMsOf(async () => expect([400, 413]).toContain((await send('/api/session', body)).status));
      expect(ms).toBeLessThan(1000);
    }
  });

  it.each(['a\\u0000b', 'a\\udc00'])('is refused with text that cannot be stored: %s', async (text) => {
    const wishes: [string, string, string][] = [
      ['POST', '/api/keys', 'name'],
      ['PATCH', '/api/account', 'name'],
      ['POST', '/api/users', 'email'],
      ['PATCH', `/api/users/${memberId}`, 'name'],
      ['POST', `/api/users/${memberId}/plan`, 'planId'],
      ['PATCH', '/api/plans/pro', 'name'],
      ['POST', '/api/session', 'password'],
    ];
    for (const [method, path, param] of wishes) {
      const refused = { status: 400, body: { error: { param, code: 'invalid_value' } } };
      expect(await send(path, `{"${param}":"${text}"}`, method)).toMatchObject(refused);
    }
    expect(await send('/api/keys', `{"name":"x","models":["${text}"]}`)).toMatchObject({
      body: { error: { param: 'models' } },
    });
  });

  it.each([
    ['POST', '/api/keys', {}, 'name', 'name is required.'],
    ['POST', '/api/keys', { name: 7 }, 'name', 'name must be a string.'],
    ['POST', '/api/keys', { name: 'x', models: 'nova-2-lite' }, 'models', 'models must be an array.'],
    ['POST', '/api/session', { email: 'a@b.c' }, 'password', 'password is required.'],
    ['PATCH', '/api/account', { name: 'x', role: 'admin' }, 'role', 'role is not a known field: leave it out.'],
    ['PATCH', '/api/plans/pro', { tiers: null }, 'tiers', 'tiers must be an array.'],
    ['PATCH', '/api/plans/pro', { tiers: ['free', 'free'] }, 'tiers', "All tiers's elements must be unique."],
  ])('is refused with a remedy: %s %s %j', async (method, path, body, param, message) => {
    expect(await send(path, JSON.stringify(body), method)).toMatchObject({
      status: 400,
      body: { error: { param, message } },
    });
  });

  it('can contain text in any script', async () => {
    for (const name of ['👩‍👩‍👧 Familie', 'مفتاح', '鍵'.repeat(100)]) {
      expect((await admin.post('/api/keys', { name })).body).toMatchObject({ name });
    }
  });

  it('is reduced to its known fields', async () => {
    const { status, body } = await send('/api/users', '{"email":"proto@example.com","__proto__":{"role":"admin"}}');
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('__proto__')]);
    expect(Object.hasOwn(Object.prototype, 'role')).toBe(false);
  });
});

it.each([
  ['GET', '/api/keys/%00'],
  ['GET', '/api/users/a%00'],
  ['GET', '/api/plans/%00/holders'],
  ['PATCH', '/api/plans/pro%00'],
  ['POST', '/api/upstreams/%00/test'],
  ['GET', '/api/usage/calls/%00'],
  ['DELETE', '/api/account/sessions/%00'],
  ['GET', '/api/keys/%ff'],
  ['GET', '/api/plans/%F0%9F%98%80/holders'],
])('%s %s does not exist', async (method, path) => {
  const [[name, value] = []] = admin.cookies;
  const response = await fetch(gateway.url + path, { method, headers: { cookie: `${name}=${value}` } });
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ error: { message: expect.any(String), param: null } });
});

it.each([
  ['GET', '/api/alerts?subject=%00', 'subject'],
  ['DELETE', '/api/cache?model=a%00', 'model'],
])('%s %s is refused', async (method, path, param) => {
  const { status, body } = await admin.send(method, path);
  expect([status, body]).toEqual([400, { error: expect.objectContaining({ param }) }]);
});
