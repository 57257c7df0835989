import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { ForgottenUsersService } from '../src/accounts/forgotten-users.service.js';
import { ProjectsService } from '../src/accounts/projects.service.js';
import { GATEWAY } from '../src/audit/audit.types.js';
import { CacheSettingsService } from '../src/cache/cache-settings.service.js';
import { CacheUsageService } from '../src/cache/cache-usage.service.js';
import { ask, cache, type Json, post, resultOf, settled, startCache } from './support/cache-test.js';
import { answerTo, completion, stream } from './support/chat-answers.js';
import { eventually } from './support/eventually.js';
import { nativeResponse, nativeResponseStream } from './support/native-response.js';
import { json } from './support/script.js';

startCache();

describe('a native answer', () => {
  const input = () => ({ model: 'cached', input: cache.question, metadata: { mine: 'no' } });

  it('a native answer of the Responses API has its own id, time and metadata when it is repeated, and only in its form', async () => {
    cache.chat.upstream.enqueue(json(200, nativeResponse('Hi.')));
    const one = (await (await post('/v1/responses', { ...input(), metadata: { first: 'yes' } })).json()) as Json;
    await settled();
    const again = await post('/v1/responses', input());
    expect(resultOf(again)).toBe('hit');
    const two = (await again.json()) as Json;
    expect(two).toEqual({ ...one, id: two.id, created_at: two.created_at });
    expect(two.id).not.toBe(one.id);
    expect(two.created_at).toBeGreaterThan(1_790_000_000);
    cache.chat.upstream.enqueue(nativeResponseStream('Hi.'));
    const streamed = await post('/v1/responses', { ...input(), stream: true });
    const events = await streamed.text();
    expect(resultOf(streamed)).toBe('miss');
    await settled();
    const repeated = await post('/v1/responses', { ...input(), stream: true });
    expect(resultOf(repeated)).toBe('hit');
    const ids = (text: string) => [...new Set(text.match(/"id":"resp_\w+"/g))];
    const text = await repeated.text();
    expect(ids(text)).toHaveLength(1);
    expect(ids(text)).not.toEqual(ids(events));
    const same = (all: string) => all.replaceAll(/"(id|created_at)":("resp_\w+"|\d+)/g, '');
    expect(same(text)).toBe(same(events));
  });

  it('a native answer of the Messages API has its own id', async () => {
    const usage = { input_tokens: 5, output_tokens: 2 };
    const message = { id: 'msg_upstream', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' };
    cache.chat.upstream.enqueue(
      json(200, { ...message, content: [{ type: 'text', text: 'Hi.' }], stop_sequence: null, usage }),
    );
    const body = { model: 'claude', max_tokens: 10, messages: [{ role: 'user', content: cache.question }] };
    const one = (await (await post('/v1/messages', { ...body, metadata: { user_id: 'one' } })).json()) as Json;
    const again = await post('/v1/messages', { ...body, metadata: { user_id: 'two' } });
    expect(resultOf(again)).toBe('hit');
    const two = (await again.json()) as Json;
    expect(two).toEqual({ ...one, id: two.id });
    expect(two.id).toMatch(/^msg_[0-9a-f]{32}$/);
  });

  it('a native answer that is translated answers the Messages and the Responses API in both forms', async () => {
    for (const [path, fields] of [
      ['/v1/messages', { max_tokens: 10, messages: [{ role: 'user', content: cache.question }] }],
      ['/v1/responses', { input: cache.question }],
    ] as const) {
      cache.chat.upstream.enqueue(stream(['Hello', ' there!']));
      await (await post(path, { model: 'translated', ...fields, stream: true })).text();
      const whole = await post(path, { model: 'translated', ...fields });
      expect(resultOf(whole)).toBe('hit');
      expect(await whole.text()).toContain('"Hello there!"');
      const streamed = await post(path, { model: 'translated', ...fields, stream: true });
      expect(resultOf(streamed)).toBe('hit');
      expect(await streamed.text()).toContain('Hello there!');
    }
  });
});

describe('cached answers', () => {
  it('are encrypted, and bound to their place', async () => {
    cache.chat.upstream.enqueue(completion('The secret of the cache.'));
    await (await ask()).text();
    await settled();
    const rows = await cache.chat.gateway.database.query<{ content: Buffer }>('SELECT content FROM cached_answers');
    for (const { content } of rows) expect(content.toString('latin1')).not.toContain('secret');
    await cache.chat.gateway.database.query(
      `UPDATE cached_answers SET content = set_byte(content, 40, 255 - get_byte(content, 40))`,
    );
    cache.chat.upstream.enqueue(completion());
    expect(resultOf(await ask())).toBe('miss');
  });

  it('never exceed maxSize, and the least recently used go first', async () => {
    const { database } = cache.chat.gateway;
    await database.query('DELETE FROM cached_answers');
    cache.chat.upstream.always(() => completion(randomBytes(24_000).toString('base64')));
    const size = async () => {
      const [row] = await database.query<{ n: number }>('SELECT coalesce(sum(bytes), 0)::int n FROM cached_answers');
      return row?.n ?? 0;
    };
    const used = cache.question;
    for (let n = 0; n < 60; n++) {
      cache.question = n === 0 ? used : `${used} ${n}`;
      await (await ask()).text();
      await settled();
      expect(await size()).toBeLessThanOrEqual(1024 * 1024);
      cache.question = used;
      if (n % 5 === 0) expect(resultOf(await ask())).toBe('hit');
    }
    expect(await size()).toBeGreaterThan(700_000);
    await sleep(1000);
    cache.question = `${used} 1`;
    expect(resultOf(await ask())).toBe('miss');
  });

  it('are gone with their project', async () => {
    const projects = cache.chat.gateway.services.get(ProjectsService);
    const { database } = cache.chat.gateway;
    const project = await projects.create('search', GATEWAY);
    await database.query(
      `INSERT INTO cached_answers VALUES ('x', 'any', $1, 'cached', '', '', 1, now(), now(), now())`,
      [project.id],
    );
    await projects.archive(project.id, GATEWAY);
    expect(await database.query('SELECT FROM cached_answers WHERE owner_id = $1', [project.id])).toEqual([]);
  });

  it('are gone with their user when it is forgotten, and those of others stay', async () => {
    const { gateway } = cache.chat;
    cache.chat.upstream.always((request) => answerTo(request));
    const [leaving, staying] = [await gateway.createUser(), await gateway.createUser()];
    const body = { model: 'cached', messages: [{ role: 'user', content: cache.question }] };
    for (const user of [leaving, staying]) {
      expect(resultOf(await post('/v1/chat/completions', body, user))).toBe('miss');
      await settled();
      expect(resultOf(await post('/v1/chat/completions', body, user))).toBe('hit');
    }
    const owners = async () => {
      const rows = await gateway.database.query<{ owner: string }>(
        'SELECT owner_id AS owner FROM cached_answers WHERE owner_id = ANY($1)',
        [[leaving.id, staying.id]],
      );
      return rows.map(({ owner }) => owner).sort();
    };
    expect(await owners()).toEqual([leaving.id, staying.id].sort());
    await gateway.services.get(ForgottenUsersService).forget(leaving.id, GATEWAY);
    expect(await owners()).toEqual([staying.id]);
    expect(resultOf(await post('/v1/chat/completions', body, staying))).toBe('hit');
    await eventually(async () => (await post('/v1/chat/completions', body, leaving)).status === 401 || undefined);
  });

  it('are deleted by project, also from the memory of all processes, and those of others stay', async () => {
    const { gateway } = cache.chat;
    const { database, services } = gateway;
    cache.chat.upstream.always((request) => answerTo(request));
    const projects = services.get(ProjectsService);
    const [searching, selling] = [await gateway.createUser(), await gateway.createUser()];
    const members = [];
    for (const [user, name] of [
      [searching, 'searching'],
      [selling, 'selling'],
    ] as const) {
      const project = await projects.create(name, GATEWAY);
      await database.query('UPDATE users SET project_id = $1 WHERE id = $2', [project.id, user.id]);
      members.push({ user, project });
    }
    const body = { model: 'cached', messages: [{ role: 'user', content: cache.question }] };
    for (const { user } of members) {
      expect(resultOf(await post('/v1/chat/completions', body, user))).toBe('miss');
      await settled();
      expect(resultOf(await post('/v1/chat/completions', body, user))).toBe('hit');
    }
    const [first] = members;
    if (!first) throw new Error('There is no project.');
    expect(await services.get(CacheSettingsService).clear(null, first.project, GATEWAY)).toBe(1);
    await eventually(async () => resultOf(await post('/v1/chat/completions', body, searching)) === 'miss' || undefined);
    expect(resultOf(await post('/v1/chat/completions', body, selling))).toBe('hit');
  });

  it('are bypassed while they cannot be read', async () => {
    const { database } = cache.chat.gateway;
    cache.chat.upstream.always((request) => answerTo(request));
    await database.query('ALTER TABLE cached_answers RENAME TO away');
    try {
      const reply = await ask();
      expect([reply.status, resultOf(reply)]).toEqual([200, 'bypass']);
    } finally {
      await database.query('ALTER TABLE away RENAME TO cached_answers');
    }
    await eventually(async () => resultOf(await ask()) === 'hit' || undefined);
  });
});

describe('the cache of a project or a key', () => {
  it('applies in place of the row of the model, that of the key first', async () => {
    cache.chat.upstream.always((request) => answerTo(request));
    const { services } = cache.chat.gateway;
    const settings = services.get(CacheSettingsService);
    const user = await cache.chat.gateway.createUser();
    const send = async (model: string) =>
      resultOf(
        await post('/v1/chat/completions', { model, messages: [{ role: 'user', content: cache.question }] }, user),
      );
    expect([await send('cached'), await send('plain')]).toEqual(['miss', null]);
    await settings.set('key', user.key.id, '1h', GATEWAY);
    await eventually(async () => (await send('plain')) === 'miss' || undefined);
    expect(await send('plain')).toBe('hit');
    await settings.set('key', user.key.id, 'none', GATEWAY);
    await eventually(async () => (await send('plain')) === null || undefined);
    expect(await send('cached')).toBeNull();
    const [entry] = await cache.chat.gateway.database.query(
      `SELECT before, after FROM audit_log WHERE action = 'key.cache' ORDER BY at DESC, id DESC LIMIT 1`,
    );
    expect(entry).toEqual({ before: { cache: '1h' }, after: { cache: 'none' } });
    await expect(settings.set('key', user.key.id, 'soon', GATEWAY)).rejects.toThrow('must be a duration');
  });

  it('is emptied by model, and its use is counted by model and project', async () => {
    cache.chat.upstream.always((request) => answerTo(request));
    const { services } = cache.chat.gateway;
    await (await ask({ model: 'shared' })).text();
    await settled();
    expect(resultOf(await ask({ model: 'shared' }))).toBe('hit');
    expect(await services.get(CacheSettingsService).clear('shared', null, GATEWAY)).toBeGreaterThan(0);
    await eventually(async () => resultOf(await ask({ model: 'shared' })) === 'miss' || undefined);
    const uses = await eventually(async () => {
      const { models, projects } = await services.get(CacheUsageService).report(30);
      const shared = models.find(({ name }) => name === 'shared');
      return shared && shared.hits >= 1 && shared.misses >= 2 ? { shared, projects } : undefined;
    });
    expect(uses.shared.savedNanodollars).toBeGreaterThan(0);
    expect(uses.projects[0]).toMatchObject({ name: '', hits: expect.any(Number) });
    const metrics = await (await cache.chat.gateway.get('/metrics')).text();
    expect(metrics).toMatch(/gateway_cache_answers_total\{model="shared",result="hit"\} [1-9]/);
    expect(metrics).toMatch(/gateway_cache_saved_usd_total\{model="shared"\} 0\.0000/);
  });
});
