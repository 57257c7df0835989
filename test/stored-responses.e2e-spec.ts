import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import OpenAI, { AzureOpenAI } from 'openai';
import { DataSource } from 'typeorm';
import { ContentRetentionService } from '../src/content-log/stored-contents.service.js';
import { completion } from './support/chat-answers.js';
import { ConsoleClient } from './support/console-client.js';
import { eventually } from './support/eventually.js';
import { nativeResponse } from './support/native-response.js';
import { NOT_FOUND, RememberingTest } from './support/remembering-test.js';
import { ResponsesTest } from './support/responses-test.js';
import { hang, json } from './support/script.js';

const SECRET = 'The launch code is 0000.';

const test = await RememberingTest.start();
const { api, client } = test;
const small = await ResponsesTest.start(
  {},
  {
    settings: 'responses: { remember: 30d }\noverload: { maxBufferedBytes: 1mb }',
    env: { CONTENT_LOG_KEY: randomBytes(32).toString('base64') },
  },
);

describe('stored responses', () => {
  it('are encrypted in the database', async () => {
    await test.turn('chat', false, SECRET, { input: SECRET });
    const stored = await test.rows();
    expect(stored.length).toBeGreaterThan(0);
    for (const row of stored) expect(JSON.stringify(row) + row.content.toString('latin1')).not.toContain('launch');
  });

  it('belong to their owner only: for others they are unknown', async () => {
    const { id, output } = await test.turn('chat', false, 'Paris.', { input: 'Hi' });
    const stranger = await api.gateway.createUser();
    const answers = async (requested: string, item: string) => {
      const headers = { ...stranger.headers, 'content-type': 'application/json' };
      const url = `${api.gateway.url}/v1/responses`;
      const post = (fields: object) =>
        fetch(url, { method: 'POST', headers, body: JSON.stringify({ model: 'chat', input: 'Hi', ...fields }) });
      const replies = [
        await fetch(`${url}/${requested}`, { headers }),
        await fetch(`${url}/${requested}`, { method: 'DELETE', headers }),
        await fetch(`${url}/${requested}/input_items`, { headers }),
        await post({ previous_response_id: requested }),
        await post({ input: [{ type: 'item_reference', id: item }] }),
      ];
      return Promise.all(replies.map(async (reply) => [reply.status, await reply.text()]));
    };
    const others = await answers(id, String(output[0]?.id));
    expect(others.map(([status]) => status)).toEqual([404, 404, 404, 400, 404]);
    expect(others).toEqual(await answers('resp_unknown', 'msg_unknown'));
    expect(await client.responses.retrieve(id)).toMatchObject({ id });
    await expect(client.responses.retrieve('resp_\u0000')).rejects.toMatchObject(NOT_FOUND);
  });

  it('are shared by the keys of a user, and by the keys of a project', async () => {
    const manager = await ConsoleClient.as(api.gateway, 'admin');
    const project = await manager.post('/api/projects', { name: 'Search' });
    const create = async (fields: object) =>
      test.clientOf((await manager.post('/api/keys', { name: 'k', ...fields })).body.key);
    const [one, two] = [await create({ projectId: project.body.id }), await create({ projectId: project.body.id })];
    const [mine, other] = [await create({}), await create({ name: 'other' })];
    test.enqueue('chat', false, 'Paris.');
    const { id } = await one.responses.create({ model: 'chat', input: 'Hi' });
    expect(await two.responses.retrieve(id)).toMatchObject({ id });
    await expect(mine.responses.retrieve(id)).rejects.toMatchObject(NOT_FOUND);
    test.enqueue('chat', false, 'Rome.');
    const own = await mine.responses.create({ model: 'chat', input: 'Hi' });
    expect(await other.responses.retrieve(own.id)).toMatchObject({ id: own.id });
    await test.database.query('UPDATE projects SET archived_at = now() WHERE id = $1', [project.body.id]);
    await api.gateway.services.get(ContentRetentionService).forgetOld();
    expect((await test.rows()).map(({ response_id }) => response_id)).not.toContain(id);
    expect(await other.responses.retrieve(own.id)).toMatchObject({ id: own.id });
    await test.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [manager.user.id]);
    await api.gateway.services.get(ContentRetentionService).forgetOld();
    expect((await test.rows()).map(({ response_id }) => response_id)).not.toContain(own.id);
  });

  it('stored responses of different owners may have the same id', async () => {
    const same = nativeResponse('Paris.');
    const stranger = await api.gateway.createUser();
    const strangers = test.clientOf(stranger.key.key);
    api.upstream.enqueue(json(200, same));
    await client.responses.create({ model: 'openai', input: 'Mine' });
    api.upstream.enqueue(json(200, same));
    await strangers.responses.create({ model: 'openai', input: 'Theirs' });
    const textOf = async (one: OpenAI) => JSON.stringify((await one.responses.inputItems.list(same.id)).data);
    expect(await textOf(client)).toContain('Mine');
    expect(await textOf(strangers)).toContain('Theirs');
    await client.responses.delete(same.id);
    expect(await textOf(strangers)).toContain('Theirs');
  });

  it('end with their time', async () => {
    const { id, output } = await test.turn('chat', false, 'Paris.', { input: 'Hi' });
    await test.database.query("UPDATE remembered_responses SET at = at - interval '31 days' WHERE response_id = $1", [
      id,
    ]);
    await expect(client.responses.retrieve(id)).rejects.toMatchObject(NOT_FOUND);
    await expect(client.responses.delete(id)).rejects.toMatchObject(NOT_FOUND);
    expect((await api.ask({ previous_response_id: id })).status).toBe(400);
    expect((await api.ask({ input: [{ type: 'item_reference', id: output[0]?.id }] })).status).toBe(404);
    await api.gateway.services.get(ContentRetentionService).forgetOld();
    expect((await test.rows()).map(({ response_id }) => response_id)).not.toContain(id);
  });

  it('are limited in size for each owner: the oldest are deleted', async () => {
    const large = () => randomBytes(150_000).toString('base64');
    const user = await api.gateway.createUser();
    const own = test.clientOf(user.key.key);
    const ids: string[] = [];
    for (let count = 0; count < 8; count++) {
      test.enqueue('chat', false, 'Yes.');
      ids.push((await own.responses.create({ model: 'chat', input: large() })).id);
    }
    const [sum] = await test.database.query(
      'SELECT sum(bytes)::int AS bytes FROM remembered_responses WHERE owner_id = $1',
      [user.id],
    );
    expect(sum?.bytes).toBeLessThanOrEqual(1024 ** 2);
    expect(sum?.bytes).toBeGreaterThan(800_000);
    await expect(own.responses.retrieve(String(ids[0]))).rejects.toMatchObject(NOT_FOUND);
    expect(await own.responses.retrieve(String(ids.at(-1)))).toMatchObject({ status: 'completed' });
    // The newest one stays, even if it alone is too large.
    test.enqueue('openai', false, 'Yes.');
    const { id } = await own.responses.create({ model: 'openai', input: randomBytes(1_200_000).toString('base64') });
    expect(await own.responses.retrieve(id)).toMatchObject({ id });
    await expect(own.responses.retrieve(String(ids.at(-1)))).rejects.toMatchObject(NOT_FOUND);
  });

  it('are found by another gateway on the database as soon as the client has the answer', async () => {
    const { id, output } = await test.turn('chat', true, 'Paris.', { input: 'The capital of France?' });
    const replica = await test.startOther({ remembers: true });
    replica.upstream.enqueue(completion('Rome.'));
    const there = client.withOptions({ baseURL: `${replica.gateway.url}/v1` });
    const request = { model: 'chat', previous_response_id: id };
    expect(await there.responses.create({ ...request, input: 'And of Italy?' })).toMatchObject({
      output_text: 'Rome.',
    });
    expect(replica.received).toMatchObject({ messages: [{}, { content: 'Paris.' }, { content: 'And of Italy?' }] });
    expect(await there.responses.retrieve(id)).toMatchObject({ output });
  });

  it('cannot be moved to another owner in the database', async () => {
    const { id } = await test.turn('chat', false, 'Paris.', { input: 'Hi' });
    const thief = await api.gateway.createUser();
    await test.database.query('UPDATE remembered_responses SET owner_id = $1 WHERE response_id = $2', [thief.id, id]);
    await expect(test.clientOf(thief.key.key).responses.retrieve(id)).rejects.toMatchObject({ status: 500 });
  });

  it('work at Azure’s paths', async () => {
    const azure = new AzureOpenAI({
      endpoint: api.gateway.url,
      apiKey: api.user.key.key,
      apiVersion: '2025-04-01-preview',
    });
    const newer = client.withOptions({ baseURL: `${api.gateway.url}/openai/v1` });
    for (const own of [azure, newer]) {
      test.enqueue('chat', false, 'Paris.');
      const { id } = await own.responses.create({ model: 'chat', input: 'Hi' });
      expect(await own.responses.retrieve(id)).toMatchObject({ id });
      expect((await own.responses.inputItems.list(id)).data).toHaveLength(1);
      await own.responses.delete(id);
      await expect(own.responses.retrieve(id)).rejects.toMatchObject(NOT_FOUND);
    }
  });
});

describe('large stored responses', () => {
  const LARGE = 'word '.repeat(80_000);

  async function stored(): Promise<string> {
    small.upstream.enqueue(json(200, nativeResponse('Paris.')));
    return (await small.client.responses.create({ model: 'openai', input: LARGE })).id;
  }

  it('take the memory of their owner’s bodies while they are sent', async () => {
    const id = await stored();
    const { url } = small.gateway;
    const status = async (path: string) => (await fetch(url + path, { headers: small.user.headers })).status;
    const paths = [`/v1/responses/${id}`, `/v1/responses/${id}/input_items`];
    const count = small.upstream.requests.length;
    small.upstream.enqueue(hang());
    const leaving = new AbortController();
    const body = JSON.stringify({ model: 'openai', input: LARGE, store: false });
    const headers = { ...small.user.headers, 'content-type': 'application/json' };
    const other = fetch(`${url}/v1/responses`, { method: 'POST', headers, body, signal: leaving.signal });
    await small.upstream.received(count + 1);
    expect(await Promise.all(paths.map(status))).toEqual([429, 429]);
    leaving.abort();
    await expect(other).rejects.toThrow();
    for (const path of paths) await eventually(async () => (await status(path)) === 200);
  });

  it('are read two at a time for each owner, so that others get connections of the database', async () => {
    const id = await stored();
    const database = small.gateway.services.get(DataSource);
    const query = database.query.bind(database);
    let underWay = 0;
    let most = 0;
    const spy = jest.spyOn(database, 'query').mockImplementation(async (text, values) => {
      const isRead = text.includes('FROM remembered_responses\n');
      if (isRead) most = Math.max(most, ++underWay);
      if (isRead) await sleep(20);
      return query(text, values).finally(() => isRead && underWay--);
    });
    // Those beyond the owner's memory are tried again.
    const patient = small.client.withOptions({ maxRetries: 10 });
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => patient.responses.retrieve(id).then(({ status }) => status)),
    );
    spy.mockRestore();
    expect(replies).toEqual(Array(4).fill('completed'));
    expect(most).toBe(2);
  });
});

it('stored responses are deleted once responses.remember is off', async () => {
  await test.turn('chat', false, 'Paris.', { input: 'Hi' });
  const off = await test.startOther({ remembers: false });
  await off.gateway.services.get(ContentRetentionService).forgetOld();
  expect(await test.rows()).toEqual([]);
});
