import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ContentRetentionService } from '../src/content-log/stored-contents.service.js';
import { ConsoleClient } from './support/console-client.js';
import { startConsole } from './support/console-people.js';
import { eventually } from './support/eventually.js';
import { TestGateway } from './support/test-gateway.js';

const MODEL = 'gpt-6-luna';
const SECRET = 'The launch code is 0000.';

let key: { id: string; key: string };

const env = { CONTENT_LOG_KEY: randomBytes(32).toString('base64') };
const { gateway, admin, alice, bob } = await startConsole({ env });
key = (await alice.post('/api/keys', { name: 'careful' })).body;

function call(path: string, body: object, secret = key.key): Promise<Response> {
  return fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
    },
    body: JSON.stringify({ model: MODEL, ...body }),
  });
}

const chat = (more: object = {}) =>
  call('/v1/chat/completions', { messages: [{ role: 'user', content: SECRET }], ...more });

async function contentOf(reply: Response, who: ConsoleClient = alice) {
  const id = reply.headers.get('x-request-id');
  await reply.text();
  return eventually(async () => {
    const found = await who.get(`/api/usage/calls/${id}/content`);
    return found.status === 200 && found.body;
  });
}

const rows = () => gateway.database.query('SELECT * FROM call_contents');

describe('the content log', () => {
  it('is off until the owner of a key switches it on', async () => {
    const reply = await chat();
    expect(reply.headers.get('x-gateway-content-log')).toBeNull();
    await reply.text();
    expect((await admin.put(`/api/keys/${key.id}/content-log`, { on: true })).status).toBe(403);
    expect((await bob.put(`/api/keys/${key.id}/content-log`, { on: true })).status).toBe(404);
    expect((await alice.put(`/api/keys/${key.id}/content-log`, { on: true })).status).toBe(204);
    expect((await alice.get(`/api/keys/${key.id}`)).body.logsContent).toBe(true);
    expect(await rows()).toEqual([]);
    await eventually(async () => {
      const next = await chat();
      await next.text();
      return next.headers.get('x-gateway-content-log') === 'on';
    });
  });

  it.each([
    ['chat completions', '/v1/chat/completions', { messages: [{ role: 'user', content: SECRET }] }],
    [
      'streamed chat completions',
      '/v1/chat/completions',
      { messages: [{ role: 'user', content: SECRET }], stream: true },
    ],
    ['responses', '/v1/responses', { input: SECRET }],
    ['streamed responses', '/v1/responses', { input: SECRET, stream: true }],
    ['messages', '/v1/messages', { messages: [{ role: 'user', content: SECRET }], max_tokens: 100 }],
  ])('stores prompt and answer of %s', async (_, path, body) => {
    const content = await contentOf(await call(path, body));
    expect(JSON.stringify(content.request.messages)).toContain(SECRET);
    expect(content.answer).toMatchObject([{ index: 0, content: expect.stringMatching(/\w/), finishReason: 'stop' }]);
    expect(content.isCut).toBe(false);
  });

  it('is encrypted in the database', async () => {
    const [row = {}] = await rows();
    expect(row.content.length).toBeGreaterThan(100);
    const dump = JSON.stringify(await rows()) + row.content.toString('latin1');
    expect(dump).not.toContain('launch');
    expect(JSON.stringify(await gateway.database.query('SELECT * FROM usage_calls'))).not.toContain('launch');
  });

  it('is visible only to the owner and administrators, and the audit log records each view', async () => {
    const reply = await chat();
    const id = reply.headers.get('x-request-id');
    await contentOf(reply);
    await contentOf(await chat(), admin);
    expect((await bob.get(`/api/usage/calls/${id}/content`)).status).toBe(404);
    const { body } = await admin.get('/api/audit?action=content.view');
    expect(body.items.slice(0, 2)).toMatchObject([
      { actor: { name: admin.user.email }, target: { kind: 'call' } },
      { actor: { name: alice.user.email }, target: { kind: 'call' } },
    ]);
    expect(JSON.stringify(body)).not.toContain('launch');
  });

  it('replaces media by their size, and truncates long text', async () => {
    const url = `data:image/png;base64,${'iVBORw0KGgo'.repeat(1000)}`;
    const content = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url } },
    ];
    const image = await contentOf(await chat({ messages: [{ role: 'user', content }] }));
    expect(JSON.stringify(image.request)).toContain('data:image/png;base64,[11000 characters]');
    const long = await contentOf(await chat({ messages: [{ role: 'user', content: 'many words '.repeat(50_000) }] }));
    expect(long.isCut).toBe(true);
    expect(JSON.stringify(long.request)).toMatch(/more characters\]/);
  });

  it('stores the answer up to the disconnection of the client', async () => {
    const controller = new AbortController();
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, stream: true, messages: [{ role: 'user', content: SECRET }] }),
      signal: controller.signal,
    });
    await reply.body?.getReader().read();
    controller.abort();
    const id = reply.headers.get('x-request-id');
    await eventually(async () => (await alice.get(`/api/usage/calls/${id}/content`)).status === 200);
  });

  it('ends when the owner or an administrator switches it off', async () => {
    expect((await admin.put(`/api/keys/${key.id}/content-log`, { on: false })).status).toBe(204);
    await eventually(async () => {
      const reply = await chat();
      await reply.text();
      return reply.headers.get('x-gateway-content-log') === null;
    });
    const { body } = await admin.get(`/api/audit?target=key:${key.id}&action=key.content_log`);
    expect(body.items).toMatchObject([{ after: { contentLog: false } }, { after: { contentLog: true } }]);
  });

  it('has its own retention', async () => {
    await gateway.database.query("UPDATE call_contents SET at = at - interval '31 days'");
    await gateway.services.get(ContentRetentionService).forgetOld();
    expect(await rows()).toEqual([]);
  });
});

describe('the content log without an encryption key', () => {
  it('cannot be switched on, and the error names the missing setting', async () => {
    const plain = await TestGateway.start({ env: { SIMULATOR: 'on' } });
    const owner = await ConsoleClient.as(plain, 'member');
    const { body } = await owner.post('/api/keys', { name: 'ci' });
    const { status, body: refusal } = await owner.put(`/api/keys/${body.id}/content-log`, { on: true });
    expect([status, refusal.error.code]).toEqual([409, 'content_log_off']);
    expect(refusal.error.message).toContain('CONTENT_LOG_KEY');
    expect((await owner.get('/api/session')).body.contentLogDays).toBeNull();
  });
});
