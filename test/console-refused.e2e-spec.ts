import { describe, expect, it } from '@jest/globals';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { ConsoleClient } from './support/console-client.js';
import { eventually } from './support/eventually.js';
import { TestGateway } from './support/test-gateway.js';

const HELLO = [{ role: 'user', content: 'Hello!' }];

const gateway = await TestGateway.start({ env: { SIMULATOR: 'on' } });
const admin = await ConsoleClient.as(gateway, 'admin');
const member = await ConsoleClient.as(gateway, 'member');
const user = await gateway.createUser();
for (const body of [
  { model: 'no-such-model-svc_secretsecret', messages: HELLO },
  { model: 'gpt-6-luna', messages: HELLO, temperature: 17 },
  { model: 'gpt-6-luna', messages: HELLO },
]) {
  await gateway.complete(user, body).then((response) => response.text());
}
await eventually(async () => (await list('statuses=refused')).items.length === 2);

interface Page {
  items: Record<string, unknown>[];
  next: string | null;
}

async function list(query: string, client = admin): Promise<Page> {
  const from = new Date(Date.now() - 3_600_000).toISOString();
  const to = new Date(Date.now() + 3_600_000).toISOString();
  const scope = client === admin ? 'all' : 'mine';
  const { status, body } = await client.get(`/api/usage/calls?${new URLSearchParams({ from, to, scope })}&${query}`);
  expect(status).toBe(200);
  return body;
}

describe('a refused request', () => {
  it('is listed among the requests with the requested model, the key and the message', async () => {
    const { items } = await list('statuses=refused');
    expect(items).toMatchObject([
      { status: 'refused', httpStatus: 400, model: 'gpt-6-luna', message: expect.stringContaining('temperature') },
      { status: 'refused', httpStatus: 404, model: 'no-such-model-svc_…', errorCode: 'model_not_found', costUsd: 0 },
    ]);
    expect(items[0]).toMatchObject({ requestId: expect.stringMatching(/^req_/), keyName: expect.stringMatching(/\w/) });
    expect(JSON.stringify(items)).not.toContain('svc_secret');
    expect(Object.keys(items[0] ?? {})).not.toContain('position');
  });

  it('is sorted by time among the calls, page by page', async () => {
    const whole = await list('');
    expect(whole.items.map(({ status }) => status)).toEqual(['settled', 'refused', 'refused']);
    const paged: Record<string, unknown>[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { items, next }: Page = await list(`limit=1${cursor && `&cursor=${cursor}`}`);
      paged.push(...items);
      cursor = next;
    }
    expect(paged).toEqual(whole.items);
  });

  it('is found by its key, its model and its id, but not by other users', async () => {
    const [{ id, keyId } = {}] = (await list('statuses=refused')).items;
    expect((await list(`keys=${keyId}&statuses=refused`)).items).toHaveLength(2);
    expect((await list('models=no-such-model-svc_…')).items).toHaveLength(1);
    expect((await list('statuses=settled')).items).toHaveLength(1);
    const { status, body } = await admin.get(`/api/usage/calls/${id}`);
    expect([status, body]).toMatchObject([200, { id, status: 'refused', attempts: [], planId: null }]);
    expect((await member.get(`/api/usage/calls/${id}`)).status).toBe(404);
    expect((await list('', member)).items).toEqual([]);
  });

  it('is found by its id, but not by text that only looks like its id', async () => {
    const [{ id } = {}] = (await list('statuses=refused')).items;
    const dataSource = gateway.services.get<DataSource>(getDataSourceToken());
    const requested: [string, unknown[]][] = [];
    const { logQuery } = dataSource.logger;
    dataSource.logger.logQuery = (query, parameters) => {
      if (/SELECT.*FROM recent_errors/s.test(query)) requested.push([query, [parameters ?? []].flat()]);
    };
    expect((await admin.get(`/api/usage/calls/${id}`)).status).toBe(200);
    dataSource.logger.logQuery = logQuery;
    const [[query, parameters] = ['', []]] = requested;
    const plan = await dataSource.transaction(async (manager) => {
      await manager.query('SET LOCAL enable_seqscan = off');
      return JSON.stringify(await manager.query(`EXPLAIN (FORMAT JSON) ${query}`, parameters));
    });
    expect(plan).toMatch(/"Index Cond":"\(id = /);
    for (const wrong of ['refused-', 'refused-1', 'refused-00000000000x', `${id}0`, 'refused-999999999999']) {
      expect([wrong, (await admin.get(`/api/usage/calls/${wrong}`)).status]).toEqual([wrong, 404]);
    }
  });

  it('is shown on the overview with its key, its message and a link to it', async () => {
    const { body } = await admin.get('/api/overview?scope=all');
    expect(body.recentErrors[0]).toMatchObject({
      id: expect.stringMatching(/^refused-/),
      keyName: expect.stringMatching(/\w/),
      userName: expect.stringContaining('@'),
      message: expect.stringContaining('temperature'),
    });
  });
});

describe('the recent errors of the overview', () => {
  it('are one row with a count when key, model, code and message are the same but for numbers', async () => {
    const caller = await ConsoleClient.as(gateway, 'member');
    const [first, second] = [
      await caller.post('/api/keys', { name: 'a' }),
      await caller.post('/api/keys', { name: 'b' }),
    ];
    const refuse = async (secret: string, wrong: object) => {
      const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ model: 'gpt-6-luna', messages: HELLO, ...wrong });
      const reply = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body });
      await reply.text();
      expect(reply.status).toBeGreaterThanOrEqual(400);
    };
    for (let i = 0; i < 10; i++) await refuse(first.body.key, { temperature: 17 + i });
    await refuse(second.body.key, { temperature: 17 });
    await refuse(first.body.key, { temperature: 17, model: 'claude-sonnet-5.5' });
    await refuse(first.body.key, { top_p: 17 });
    await refuse(first.body.key, { model: 'no-such-model' });
    const errors = await eventually(async () => {
      const { recentErrors } = (await caller.get('/api/overview')).body;
      const seen = recentErrors.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
      return seen === 14 && recentErrors;
    });
    expect(errors.map(({ count }: { count: number }) => count)).toEqual([1, 1, 1, 1, 10]);
    expect(errors[4]).toMatchObject({ status: 400, model: 'gpt-6-luna', keyName: 'a', code: 'invalid_value' });
  });
});

describe('an admitted call', () => {
  it('is found by the id of its request', async () => {
    const answer = await gateway.complete(
      user,
      { model: 'gpt-6-luna', messages: HELLO },
      { headers: { 'x-request-id': 'of-the-client' } },
    );
    const { id } = (await answer.json()) as { id: string };
    const requestId = String(answer.headers.get('x-request-id'));
    expect(requestId).toMatch(/^req_/);
    expect(await admin.get(`/api/usage/calls/${requestId}`)).toMatchObject({ status: 200, body: { id, requestId } });
    expect((await member.get(`/api/usage/calls/${requestId}`)).status).toBe(404);
    expect((await admin.get('/api/usage/calls/of-the-client')).status).toBe(404);
  });
});
