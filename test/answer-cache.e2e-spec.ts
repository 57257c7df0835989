import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import {
  ask,
  cache,
  chunksIn,
  count,
  type Json,
  PICTURE,
  post,
  requested,
  resultOf,
  settled,
  startCache,
} from './support/cache-test.js';
import { answerTo, chunkOf, completion, refusal, stream, USAGE } from './support/chat-answers.js';
import type { ChatTest } from './support/chat-test.js';
import { eventually } from './support/eventually.js';
import { gate, hang, json, reset, sse } from './support/script.js';

startCache();

describe('an equal call', () => {
  it('gets the stored answer under a new id, costs nothing, and has its row', async () => {
    cache.chat.upstream.enqueue(completion('First.'));
    const first = await ask();
    expect(resultOf(first)).toBe('miss');
    const one = (await first.json()) as Json;
    const paid = await cache.chat.row(first);
    const again = await ask({ user: 'someone', metadata: { a: 'b' }, stream: null });
    expect([resultOf(again), again.headers.get('age'), again.headers.get('x-gateway-attempts')]).toEqual([
      'hit',
      '0',
      '0',
    ]);
    const two = (await again.json()) as Json;
    expect(two).toEqual({ ...one, id: two.id, created: two.created });
    expect(two.id).not.toBe(one.id);
    expect(requested()).toBe(1);
    const row = await cache.chat.row(again);
    expect(row).toMatchObject({
      ...{ status: 'settled', cost_nanodollars: '0', upstream: null, served_model: 'cached', attempts: [] },
      ...{ input_tokens: '11', output_tokens: '3', finish_reason: 'stop' },
      charge: { cached: Number(paid.cost_nanodollars) },
    });
    expect(Number(paid.cost_nanodollars)).toBeGreaterThan(0);
  });

  it('is one by its JSON values, and by the model whatever its name', async () => {
    cache.chat.upstream.enqueue(completion());
    await (await ask({ temperature: 1, top_p: 0.5 })).text();
    const body = `{"top_p": 5e-1, "temperature":1.0, "messages":[{"content":"${cache.question}","role":"user"}],"model":"cached-alias"}`;
    const headers = { ...cache.chat.pro.headers, 'content-type': 'application/json' };
    const again = await fetch(`${cache.chat.gateway.url}/v1/chat/completions`, { method: 'POST', headers, body });
    expect(resultOf(again)).toBe('hit');
    expect((await again.json()) as Json).toMatchObject({ model: 'cached-alias' });
    cache.chat.upstream.enqueue(completion());
    expect(resultOf(await ask({ temperature: 0, top_p: 0.5 }))).toBe('miss');
  });

  it('an equal call that streams gets a stored JSON answer, and the other way round', async () => {
    const calls = [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }];
    const message = { role: 'assistant', content: null, refusal: null, tool_calls: calls };
    const choices = [{ index: 0, message, finish_reason: 'tool_calls', logprobs: null }];
    cache.chat.upstream.enqueue(
      json(200, { id: 'a', object: 'chat.completion', created: 1, model: 'm', choices, usage: USAGE }),
    );
    const tools = [{ type: 'function', function: { name: 'f' } }];
    await (await ask({ tools })).text();
    const streamed = await ask({ tools, stream: true, stream_options: { include_usage: true } });
    expect(resultOf(streamed)).toBe('hit');
    const chunks = await chunksIn(streamed);
    expect(chunks.map(({ choices: [choice] }) => choice?.finish_reason)).toEqual([null, 'tool_calls', undefined]);
    expect(chunks[0].choices[0].delta.tool_calls).toEqual([{ index: 0, ...calls[0] }]);
    expect(chunks[2]).toMatchObject({ choices: [], usage: USAGE });

    cache.question += ' streamed';
    const part = (fields: object) => chunkOf({ tool_calls: [{ index: 0, ...fields }] });
    cache.chat.upstream.enqueue(
      sse([
        chunkOf({ role: 'assistant', content: '' }),
        ...[chunkOf({ content: 'Let ' }), chunkOf({ content: 'me.' })],
        part({ id: 'call_2', type: 'function', function: { name: 'f', arguments: '' } }),
        ...[part({ function: { arguments: '{"a"' } }), part({ function: { arguments: ':2}' } })],
        chunkOf({}, 'tool_calls'),
        { id: 'a', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage: USAGE },
      ]),
    );
    await (await ask({ tools, stream: true })).text();
    const whole = await ask({ tools });
    expect(resultOf(whole)).toBe('hit');
    expect(await whole.json()).toMatchObject({
      object: 'chat.completion',
      model: 'cached',
      usage: USAGE,
      choices: [
        {
          finish_reason: 'tool_calls',
          message: {
            content: 'Let me.',
            tool_calls: [{ id: 'call_2', type: 'function', function: { name: 'f', arguments: '{"a":2}' } }],
          },
        },
      ],
    });
  });

  it('an equal call of another API, key of another user, or upstream model is none', async () => {
    cache.chat.upstream.always((request) => answerTo(request));
    await (await ask()).text();
    const messages = [{ role: 'user', content: cache.question }];
    expect(resultOf(await post('/v1/messages', { model: 'cached', messages, max_tokens: 10 }))).toBe('miss');
    expect(resultOf(await post('/v1/chat/completions', { model: 'cached', messages }, cache.chat.free))).toBe('miss');
    expect(resultOf(await ask({ model: 'translated' }))).toBe('miss');
    expect(resultOf(await ask({ model: 'plain' }))).toBeNull();
  });

  it('an equal call of another user gets the answer of a model that shares them', async () => {
    cache.chat.upstream.enqueue(completion());
    await (await ask({ model: 'shared' })).text();
    const messages = [{ role: 'user', content: cache.question }];
    expect(resultOf(await post('/v1/chat/completions', { model: 'shared', messages }, cache.chat.free))).toBe('hit');
  });

  it('is made again after the time to live', async () => {
    cache.chat.upstream.always((request) => answerTo(request));
    await (await ask({ model: 'short' })).text();
    expect(resultOf(await ask({ model: 'short' }))).toBe('hit');
    await sleep(1100);
    expect(resultOf(await ask({ model: 'short' }))).toBe('miss');
  });

  it('counts for requests per minute, and takes no budget', async () => {
    const { database } = cache.chat.gateway;
    cache.chat.upstream.always((request) => answerTo(request));
    const user = await cache.chat.gateway.createUser({
      limits: { requestsPerMinute: 3, budgetTotal: 1_000_000 },
    } as object);
    const messages = [{ role: 'user', content: cache.question }];
    const replies: Response[] = [];
    for (let n = 0; n < 4; n++) replies.push(await post('/v1/chat/completions', { model: 'cached', messages }, user));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(replies.map(resultOf)).toEqual(['miss', 'hit', 'hit', null]);
    const [spent] = await database.query<{ one: boolean }>(
      `SELECT sum(cost_nanodollars) = max(cost_nanodollars) AS one FROM usage_calls WHERE user_id = $1`,
      [user.id],
    );
    expect(spent?.one).toBe(true);
  });
});

describe('the header x-gateway-cache', () => {
  it.each([
    ['off', 'bypass', 'First.'],
    ['refresh', 'miss', 'Second.'],
  ])('%s calls the upstream', async (header, result, later) => {
    cache.chat.upstream.enqueue(completion('First.')).enqueue(completion('Second.'));
    await (await ask()).text();
    const again = await ask({}, { 'x-gateway-cache': header });
    expect([resultOf(again), ((await again.json()) as Json).choices[0].message.content]).toEqual([result, 'Second.']);
    // The refreshed answer is stored after it was sent.
    await eventually(async () => {
      const third = await ask();
      expect(resultOf(third)).toBe('hit');
      return ((await third.json()) as Json).choices[0].message.content === later;
    });
  });

  it('the header x-gateway-cache on caches a call of any model if the operator allows it, and else is refused', async () => {
    const refused = await ask({ model: 'plain' }, { 'x-gateway-cache': 'on' });
    expect(refused.status).toBe(400);
    expect(((await refused.json()) as Json).error.message).toBe('The header x-gateway-cache must be off or refresh.');
    cache.chat.upstream.always((request) => answerTo(request));
    const body = { model: 'plain', messages: [{ role: 'user', content: cache.question }] };
    const on = { headers: { 'x-gateway-cache': 'on' } };
    expect(resultOf(await cache.other.complete(cache.chat.pro, body, on))).toBe('miss');
    expect(resultOf(await cache.other.complete(cache.chat.pro, body, on))).toBe('hit');
    expect(resultOf(await cache.other.complete(cache.chat.pro, body))).toBeNull();
  });
});

describe('an answer is never stored', () => {
  it.each<[string, Parameters<ChatTest['upstream']['enqueue']>[0], object]>([
    ['that failed', refusal(500), {}],
    ['that broke off', stream(['Hello', reset()]), { stream: true }],
    ['that was cut', stream(['Hello'], { finish: 'length' }), { stream: true }],
    ['that a filter ended', stream(['Hello'], { finish: 'content_filter' }), { stream: true }],
    ['that is larger than maxAnswer', completion('x'.repeat(70_000)), {}],
    ['larger than maxAnswer in a stream', stream(Array(80).fill('x'.repeat(1000))), { stream: true }],
    [
      'with a picture',
      json(200, {
        ...{ id: 'a', object: 'chat.completion', created: 1, model: 'm', usage: USAGE },
        choices: [
          { index: 0, message: { role: 'assistant', content: 'Look.', images: [PICTURE] }, finish_reason: 'stop' },
        ],
      }),
      {},
    ],
  ])('%s', async (_what, script, fields) => {
    await settled();
    const before = await count();
    cache.chat.upstream.enqueue(script);
    await (await ask(fields)).text();
    await settled();
    expect(await count()).toBe(before);
    cache.chat.upstream.enqueue(completion());
    expect(resultOf(await ask())).toBe('miss');
    await settled();
  });

  it('an answer is never stored whose caller left; an equal call that waits is made in its place', async () => {
    const leaving = new AbortController();
    cache.chat.upstream.enqueue(stream(['Hello', hang()])).enqueue(stream(['Hello']));
    const body = { model: 'cached', messages: [{ role: 'user', content: cache.question }], stream: true };
    const first = await cache.chat.gateway.complete(cache.chat.pro, body, { signal: leaving.signal });
    const second = ask({ stream: true });
    await sleep(100);
    expect(requested()).toBe(1);
    leaving.abort();
    await first.text().catch(() => undefined);
    expect(resultOf(await second)).toBe('miss');
    await (await second).text();
    expect(resultOf(await ask({ stream: true }))).toBe('hit');
  });

  it.each([
    [
      'a picture',
      {
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }] }],
      },
    ],
    ['a tool of the provider', { web_search_options: {} }],
  ])('an answer is never stored to a request with %s', async (_what, fields) => {
    cache.chat.upstream.enqueue(completion()).enqueue(completion());
    expect(resultOf(await ask(fields))).toBe('bypass');
    expect(resultOf(await ask(fields))).toBe('bypass');
    expect(requested()).toBe(2);
  });
});

describe('equal calls at the same time', () => {
  it('make one upstream call for 100 of them on two gateways', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    cache.chat.upstream.always((request) => answerTo(request, gate(promise)));
    const body = { model: 'cached', messages: [{ role: 'user', content: cache.question }] };
    const replies = Array.from({ length: 100 }, (_, n) =>
      (n % 2 ? cache.other : cache.chat.gateway).complete(cache.chat.pro, body),
    );
    await cache.chat.upstream.received();
    await sleep(300);
    resolve();
    const results = (await Promise.all(replies)).map(resultOf);
    expect(requested()).toBe(1);
    expect(results.filter((result) => result === 'hit')).toHaveLength(99);
  });

  it('are all made when the first one failed', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    cache.chat.upstream.enqueue([gate(promise), refusal(500)].flat()).always((request) => answerTo(request));
    const first = ask();
    await cache.chat.upstream.received();
    const others = [ask(), ask()];
    await sleep(100);
    resolve();
    expect((await first).status).toBe(502);
    expect((await Promise.all(others)).map(resultOf)).toEqual(['miss', 'miss']);
  });

  it('do not wait for a call of a process that is gone', async () => {
    const { database } = cache.chat.gateway;
    cache.chat.upstream.always((request) => answerTo(request));
    await (await ask()).text();
    await settled();
    await database.query(`WITH gone AS (DELETE FROM cached_answers WHERE stored_at = (SELECT max(stored_at) FROM cached_answers)
        RETURNING key)
      INSERT INTO cache_claims SELECT key, 'chatcmpl-gone', 1234567, now() FROM gone`);
    const began = performance.now();
    expect(resultOf(await ask())).toBe('miss');
    expect(performance.now() - began).toBeLessThan(5000);
  });
});
