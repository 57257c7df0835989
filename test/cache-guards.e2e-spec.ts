import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { GATEWAY } from '../src/audit/audit.types.js';
import { UserLimitsService } from '../src/limits/settings/limit-settings.service.js';
import { ask, cache, count, type Json, post, requested, resultOf, settled, startCache } from './support/cache-test.js';
import { answerTo, completion } from './support/chat-answers.js';
import { nativeResponse } from './support/native-response.js';
import { gate, json } from './support/script.js';

startCache(`
guards:
  personal: { detect: [email], do: mask }
  phones: { detect: [phone], do: mask, restore: false }
  secrets: { words: { secrets: [bluebird] }, on: [request, answer] }
guardsForAll: [personal, phones, secrets]`);

const requesting = (text: string) => ({ messages: [{ role: 'user', content: `${cache.question}: ${text}` }] });
const contentOf = async (reply: Response) => ((await reply.json()) as Json).choices[0].message.content;

describe('The cache of a call with guards', () => {
  it("takes requests for equal that are equal after masking, and restores each caller's own values", async () => {
    cache.chat.upstream.enqueue(completion('Wrote to [EMAIL_1].'));
    const first = await ask(requesting('Write to ab@example.com'));
    expect([resultOf(first), await contentOf(first)]).toEqual(['miss', 'Wrote to ab@example.com.']);
    const second = await ask(requesting('Write to cd@example.org'));
    expect([resultOf(second), await contentOf(second)]).toEqual(['hit', 'Wrote to cd@example.org.']);
    const streamed = await ask({ ...requesting('Write to ef@example.org'), stream: true });
    expect(resultOf(streamed)).toBe('hit');
    const pieces = [...(await streamed.text()).matchAll(/"content":"([^"]*)"/g)].map(([, text]) => text);
    expect(pieces.join('')).toBe('Wrote to ef@example.org.');
    expect(requested()).toBe(1);
  });

  it('is bypassed where a model shares answers and this one is restored', async () => {
    cache.chat.upstream.always((request) => answerTo(request));
    const shared = (text: string) => ask({ model: 'shared', ...requesting(text) });
    expect(resultOf(await shared('Write to ab@example.com'))).toBe('bypass');
    expect(resultOf(await shared('Write to ab@example.com'))).toBe('bypass');
    expect(resultOf(await shared('Call +49 30 1234567'))).toBe('miss');
    expect(resultOf(await shared('Call +49 30 7654321'))).toBe('hit');
  });

  it('does not store an answer that a guard ended', async () => {
    await settled();
    const before = await count();
    cache.chat.upstream.always(() => completion('See bluebird.'));
    for (let n = 0; n < 2; n++) expect(resultOf(await ask(requesting('What?')))).toBe('miss');
    await settled();
    expect(await count()).toBe(before);
  });

  it('does not answer a request that a guard blocks', async () => {
    const refused = await ask(requesting('The Bluebird files'));
    expect([refused.status, resultOf(refused), requested()]).toEqual([400, null, 0]);
  });
});

const IMAGE = 'data:image/png;base64,AAAA';
const parts = (part: object) => ({
  messages: [{ role: 'user', content: [{ type: 'text', text: cache.question }, part] }],
});

describe('A request is never answered from the cache', () => {
  it.each<[string, string, () => object]>([
    [
      'with a picture at Chat Completions',
      '/v1/chat/completions',
      () => parts({ type: 'image_url', image_url: { url: IMAGE } }),
    ],
    ['with a search of the provider', '/v1/chat/completions', () => ({ ...requesting('x'), web_search_options: {} })],
    [
      'with a picture at the Responses API',
      '/v1/responses',
      () => ({ input: [{ role: 'user', content: [{ type: 'input_image', image_url: IMAGE }] }] }),
    ],
    [
      'with a tool of the provider at the Responses API',
      '/v1/responses',
      () => ({ input: cache.question, tools: [{ type: 'web_search' }] }),
    ],
  ])('%s', async (_what, path, fields) => {
    cache.chat.upstream.always(() => (path.endsWith('responses') ? json(200, nativeResponse('Hi.')) : completion()));
    for (let n = 0; n < 2; n++) {
      const reply = await post(path, { model: 'cached', ...fields() });
      expect({ status: reply.status, result: resultOf(reply), text: await reply.text() }).toMatchObject({
        status: 200,
        result: 'bypass',
      });
    }
    expect(requested()).toBe(2);
  });
});

describe('A call', () => {
  it.each<[string, object, object]>([
    ['user', { user: 'a' }, { user: 'b' }],
    ['metadata', { metadata: { a: 'b' } }, {}],
    ['safety_identifier', { safety_identifier: 'a' }, { safety_identifier: 'b' }],
    ['prompt_cache_key', { prompt_cache_key: 'a' }, { prompt_cache_key: 'b' }],
    ['stream_options', { stream: true, stream_options: { include_usage: true } }, { stream: true }],
  ])('equals another one whatever its %s', async (_field, one, other) => {
    cache.chat.upstream.always((request) => answerTo(request));
    const first = await ask({ ...requesting('x'), ...one });
    await first.text();
    expect([resultOf(first), resultOf(await ask({ ...requesting('x'), ...other }))]).toEqual(['miss', 'hit']);
  });

  it('says how old its answer is, in whole seconds', async () => {
    cache.chat.upstream.always((request) => answerTo(request));
    await (await ask(requesting('x'))).text();
    await settled();
    await sleep(2100);
    const hit = await ask(requesting('x'));
    expect([resultOf(hit), hit.headers.get('age')]).toEqual(['hit', expect.stringMatching(/^[2-4]$/)]);
  });

  it('is refused as any call although its answer is cached', async () => {
    cache.chat.upstream.always((request) => answerTo(request));
    const user = await cache.chat.gateway.createUser();
    const body = { model: 'cached', ...requesting('x') };
    expect(resultOf(await post('/v1/chat/completions', body, user))).toBe('miss');
    expect(resultOf(await post('/v1/chat/completions', body, user))).toBe('hit');
    await cache.chat.gateway.services.get(UserLimitsService).set(user.id, { requestsPerMinute: 1 }, GATEWAY);
    const statuses: number[] = [];
    for (let n = 0; n < 3; n++) statuses.push((await post('/v1/chat/completions', body, user)).status);
    expect(statuses).toContain(429);
    const unknown = await post('/v1/chat/completions', body, {
      ...user,
      headers: { authorization: 'Bearer svc_none' },
    } as never);
    expect(unknown.status).toBe(401);
  });
});

describe('A call that waits for an equal one of another process', () => {
  it('asks the database at most ten times a second', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    cache.chat.upstream.always((request) => answerTo(request, gate(promise)));
    const body = { model: 'cached', messages: [{ role: 'user', content: cache.question }] };
    const first = cache.chat.gateway.complete(cache.chat.pro, body);
    await cache.chat.upstream.received();
    const query = jest.spyOn(cache.other.services.get(DataSource), 'query');
    try {
      const others = Array.from({ length: 20 }, () => cache.other.complete(cache.chat.pro, body));
      await sleep(2000);
      const claims = query.mock.calls.filter(([sql]) => sql.includes('INSERT INTO cache_claims'));
      expect(claims.length).toBeGreaterThan(1);
      expect(claims.length).toBeLessThanOrEqual(21);
      resolve();
      expect((await Promise.all(others)).map(resultOf)).toEqual(Array(20).fill('hit'));
      expect(resultOf(await first)).toBe('miss');
    } finally {
      resolve();
      query.mockRestore();
    }
  });
});
