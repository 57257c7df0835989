import { beforeAll, describe, expect, it } from '@jest/globals';
import { ConsoleClient } from './support/console-client.js';
import { eventually } from './support/eventually.js';
import { TestGateway, type TestUser } from './support/test-gateway.js';

const messages = [{ role: 'user', content: 'Hi' }];
const REQUESTS: readonly (readonly [path: string, body: object])[] = [
  ['/v1/chat/completions', { messages }],
  ['/v1/chat/completions', { messages }],
  ['/v1/responses', { input: 'Hi' }],
  ['/v1/messages', { messages, max_tokens: 10 }],
  // Refused: it lacks max_tokens.
  ['/v1/messages', { messages }],
];

describe('usage by API', () => {
  let gateway: TestGateway;
  let caller: TestUser;
  let admin: ConsoleClient;
  let day: string;

  beforeAll(async () => {
    gateway = await TestGateway.start();
    admin = await ConsoleClient.as(gateway, 'admin');
    caller = await gateway.createUser();
    for (const [path, body] of REQUESTS) {
      const headers = { ...caller.headers, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' };
      const init = { method: 'POST', headers, body: JSON.stringify({ model: 'gpt-6-luna', ...body }) };
      await (await fetch(gateway.url + path, init)).text();
    }
    const now = Date.now();
    const at = (ms: number) => new Date(now + ms).toISOString();
    day = `scope=all&users=${caller.id}&from=${at(-3_600_000)}&to=${at(3_600_000)}`;
    await eventually(async () => (await admin.get(`/api/usage/calls?${day}`)).body.items.length === REQUESTS.length);
  });

  it('is grouped in reports', async () => {
    const { body } = await admin.get(`/api/usage?${day}&groupBy=api`);
    const groups = body.groups.map(({ id, totals }: { id: string; totals: { requests: number } }) => [
      id,
      totals.requests,
    ]);
    expect(Object.fromEntries(groups)).toEqual({ 'chat.completions': 2, responses: 1, messages: 1 });
  });

  it.each([
    ['chat.completions', ['settled', 'settled']],
    ['messages', ['refused', 'settled']],
    ['responses,messages', ['refused', 'settled', 'settled']],
    ['embeddings', []],
  ])('filters the list of requests: %s', async (apis, statuses) => {
    const { body } = await admin.get(`/api/usage/calls?${day}&apis=${apis}`);
    const items: { api: string; status: string }[] = body.items;
    expect(items.map(({ status }) => status).sort()).toEqual(statuses);
    expect(apis.split(',')).toEqual(expect.arrayContaining(items.map(({ api }) => api)));
  });

  it('filters reports, and is a column of an export', async () => {
    const { body } = await admin.get(`/api/usage?${day}&apis=responses`);
    expect(body.totals.requests).toBe(1);
    const exported = await admin.get(`/api/usage/export?${day}&kind=calls&format=csv`);
    const [head = '', ...rows] = String(exported.body).trim().split(/\r?\n/);
    const column = head.split(',').indexOf('api');
    expect(rows.map((row) => row.split(',')[column]).sort()).toEqual([
      'chat.completions',
      'chat.completions',
      'messages',
      'messages',
      'responses',
    ]);
  });
});
