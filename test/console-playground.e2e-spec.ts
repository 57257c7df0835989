import { describe, expect, it } from '@jest/globals';
import { QUESTION } from './support/chat-test.js';
import { ConsoleClient } from './support/console-client.js';
import { eventually } from './support/eventually.js';
import { TestGateway } from './support/test-gateway.js';

const gateway = await TestGateway.start({ env: { SIMULATOR: 'on' } });
const member = await ConsoleClient.as(gateway, 'member');

function ask(key: string, model = QUESTION.model): Promise<Response> {
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...QUESTION, model }),
  });
}

async function newKey(client = member): Promise<{ key: string; expiresAt: string }> {
  const { status, headers, body } = await client.post('/api/playground/key');
  expect(status).toBe(201);
  expect(headers.get('cache-control')).toBe('private, no-store');
  return body;
}

describe('a key of the playground', () => {
  it('calls /v1 with the rights of its owner, for 15 minutes', async () => {
    const { key, expiresAt } = await newKey();
    const minutes = (new Date(expiresAt).getTime() - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(14.5);
    expect(minutes).toBeLessThanOrEqual(15);
    expect((await ask(key)).status).toBe(200);
    expect((await ask(key, 'gpt-6.1-sol')).status).toBe(404);
  });

  it('counts for its owner in the ledger, and is in no list of keys', async () => {
    const { key } = await newKey();
    await (await ask(key)).json();
    const calls = await gateway.calls();
    expect(calls.at(-1)).toMatchObject({ user_id: member.user.id, status: 'settled' });
    expect((await member.get('/api/keys')).body.items).toEqual([]);
  });

  it('is replaced by the next, while another tab keeps using the previous one', async () => {
    const first = await newKey();
    const second = await newKey();
    expect(second.key).not.toBe(first.key);
    expect((await ask(first.key)).status).toBe(200);
    expect((await ask(second.key)).status).toBe(200);
  });

  it('ends at sign-out with all its secrets', async () => {
    const guest = await ConsoleClient.as(gateway, 'member');
    const keys = [await newKey(guest), await newKey(guest)];
    await guest.delete('/api/session');
    const statuses = await Promise.all(keys.map(async ({ key }) => (await ask(key)).status));
    expect(statuses).toEqual([401, 401]);
  });

  it.each<[string, (guest: ConsoleClient) => Promise<{ status: number }>]>([
    ['all sessions', (guest) => guest.delete('/api/account/sessions?keepCurrent=true')],
    [
      'one session',
      async (guest) => {
        const [session] = (await guest.get('/api/account/sessions')).body;
        return guest.delete(`/api/account/sessions/${session.id}`);
      },
    ],
    [
      'the password',
      (guest) => {
        const { password } = guest.user;
        return guest.post('/api/account/password', { currentPassword: password, newPassword: `${password}!` });
      },
    ],
    [
      'a password that was lost',
      async (guest) => {
        const admin = await ConsoleClient.as(gateway, 'admin');
        const { url } = (await admin.post(`/api/users/${guest.user.id}/link`)).body;
        const body = { token: url.split('#')[1], password: `${guest.user.password}!` };
        return ConsoleClient.of(gateway).post('/api/password-links/use', body);
      },
    ],
  ])('ends with %s of its owner, even if someone else uses the key', async (_, end) => {
    const guest = await ConsoleClient.as(gateway, 'member');
    const { key } = await newKey(guest);
    expect((await ask(key)).status).toBe(200);
    expect([200, 204]).toContain((await end(guest)).status);
    await eventually(async () => (await ask(key)).status === 401, 1000);
  });

  it('stops working when its owner is disabled', async () => {
    const guest = await ConsoleClient.as(gateway, 'member');
    const { key } = await newKey(guest);
    const admin = await ConsoleClient.as(gateway, 'admin');
    expect((await admin.patch(`/api/users/${guest.user.id}`, { disabled: true })).status).toBe(200);
    expect((await ask(key)).status).toBe(403);
  });

  it('requires a session and a request from this site', async () => {
    const user = await gateway.createUser();
    const post = (headers: Record<string, string>) =>
      fetch(`${gateway.url}/api/playground/key`, { method: 'POST', headers });
    expect((await post({})).status).toBe(401);
    expect((await post(user.headers)).status).toBe(401);
    member.headers = { 'sec-fetch-site': 'cross-site' };
    expect((await member.post('/api/playground/key')).status).toBe(403);
    member.headers = {};
  });
});
