import { beforeAll, describe, expect, it } from '@jest/globals';
import { chunkOf, completion, refusal, stream } from './support/chat-answers.js';
import { expectError } from './support/error-reply.js';
import { eventually } from './support/eventually.js';
import { LostTime } from './support/lost-time.js';
import { RoutingTest } from './support/routing-test.js';
import { hang, head, json, pause, reset, type Script, sse } from './support/script.js';

/** Set-aside targets are remembered by name, so each test has its own upstreams `a`, `b` and `c`. */
const TESTS = 40;
const names = Array.from({ length: TESTS }, (_, index) => String(index));
const two = (n: string) => `targets: [{ upstream: a${n}, model: m }, { upstream: b${n}, model: n, priority: 2 }]`;
const one = (server: string, n: string) => `targets: [{ upstream: ${server}${n}, model: m }]`;

describe('a model with two targets', () => {
  let chat: RoutingTest;
  let used = 0;
  const next = () => `m${used++}`;
  beforeAll(async () => {
    chat = await RoutingTest.start({
      settings: 'retry: { attempts: 3, budgetPercent: 0, floor: 0 }',
      models: Object.fromEntries(names.map((n) => [`m${n}`, two(n)])),
      upstreams: Object.fromEntries(
        names.flatMap((n) => [
          [`a${n}`, ['a', 'clocks: { head: 1s, firstEvent: 1s, idle: 1s }']],
          [`b${n}`, ['b']],
        ]),
      ),
    });
    chat.b.always((request) => ((request.json() as { stream?: boolean }).stream ? stream() : completion()));
  });

  it.each<[string, Script, string, number | null]>([
    ['a reset', reset(), 'upstream_unreachable', 0],
    ['408', refusal(408), 'upstream_timeout', 408],
    ['429', refusal(429, 'x', { 'retry-after': '30' }), 'upstream_rate_limited', 429],
    ['500', refusal(500), 'upstream_error', 500],
    ['503', refusal(503), 'overloaded', 503],
    ['529', refusal(529), 'overloaded', 529],
    ['an unreadable answer', json(200, {}), 'upstream_error', 502],
    ['a clock', hang(), 'upstream_timeout', 504],
    ['401', refusal(401), 'upstream_error', 401],
    ['402', refusal(402), 'upstream_error', 402],
    ['403', refusal(403), 'upstream_error', 403],
    ['404', refusal(404), 'upstream_error', 404],
    ['a spent quota', json(429, { error: { message: 'x', code: 'insufficient_quota' } }), 'upstream_error', 429],
  ])('is answered by the second when the first fails by %s', async (_what, script, outcome, status) => {
    chat.a.enqueue(script);
    const model = next();
    const lost = new LostTime();
    const response = await chat.ask(model);
    const lostMs = lost.stop();
    expect(await response.json()).toMatchObject({ model, choices: [{ message: { content: 'Hello there!' } }] });
    expect(response.headers.get('x-gateway-attempts')).toBe('2');
    expect(response.headers.get('x-gateway-fallback-from')).toBeNull();
    const n = model.slice(1);
    const row = await chat.row(response);
    expect(row).toMatchObject({
      status: 'settled',
      model,
      served_model: model,
      upstream: `b${n}`,
      upstream_model: 'n',
    });
    expect(row.attempts).toMatchObject([
      { upstream: `a${n}`, upstreamModel: 'm', outcome, status },
      { upstream: `b${n}`, upstreamModel: 'n', outcome: 'ok', status: 200 },
    ]);
    const [first, second] = row.attempts as { startMs: number; ms: number }[];
    expect((second?.startMs ?? 0) - (first?.startMs ?? 0) - (first?.ms ?? 0)).toBeLessThan(90 + lostMs);
  });

  it.each([400, 413, 422])('does not try the second when the first refuses the request with %i', async (status) => {
    const before = chat.b.requests.length;
    chat.a.enqueue(refusal(status));
    const response = await chat.ask(next());
    expect(response.status).toBe(status === 413 ? 413 : 400);
    expect(response.headers.get('x-gateway-attempts')).toBe('1');
    expect(chat.b.requests).toHaveLength(before);
  });

  it.each<[string, Script]>([
    ['is refused', refusal(503)],
    ['breaks off before its first chunk', [head(200, { 'content-type': 'text/event-stream' }), reset()]],
    ['begins with an error', sse([{ error: { message: 'x', code: 503 } }])],
    ['has no event in time', [head(200, { 'content-type': 'text/event-stream' }), hang()]],
  ])('streams from the second when the first %s', async (_how, script) => {
    chat.a.enqueue(script);
    const response = await chat.ask(next(), { stream: true });
    expect(response.headers.get('x-gateway-attempts')).toBe('2');
    expect(await response.text()).toMatch(/there!.*\[DONE\]\n\n$/s);
  });

  it('does not switch once a chunk was sent: the stream ends with an error event', async () => {
    const before = chat.b.requests.length;
    chat.a.enqueue(sse([chunkOf({ role: 'assistant', content: 'a' }), pause(20), reset()]));
    const response = await chat.ask(next(), { stream: true });
    expect(response.headers.get('x-gateway-attempts')).toBe('1');
    expect(await response.text()).toMatch(/data: \{"error":\{[^\n]*"upstream_error"\}\}\n\n$/);
    expect(chat.b.requests).toHaveLength(before);
  });

  it('returns the temporary error when the first is overloaded and the second does not know its model', async () => {
    chat.a.enqueue(refusal(503, 'x', { 'retry-after': '40' }));
    chat.b.enqueue(refusal(404));
    const response = await chat.ask(next());
    await expectError(response, { status: 503, type: 'server_error', code: 'overloaded' });
    expect(response.headers.get('retry-after')).toBe('40');
    expect(response.headers.get('x-gateway-attempts')).toBe('2');
  });
});

describe('the number of attempts', () => {
  let chat: RoutingTest;
  beforeAll(async () => {
    chat = await RoutingTest.start({
      settings: 'retry: { attempts: 3 }',
      models: { both: two(''), once: one('a', 'x'), expectNoUpstreamRequest: one('a', 'z') },
      upstreams: { a: ['a'], b: ['b'], ax: ['a'], az: ['a'] },
    });
  });

  it('is in every answer: 0 when no upstream was called', async () => {
    const attempts = async (fields: object) =>
      (await chat.ask('expectNoUpstreamRequest', fields)).headers.get('x-gateway-attempts');
    expect(await attempts({ temperature: 9 })).toBe('0');
    expect(await attempts({ model: 'none' })).toBe('0');
    const unknown = await fetch(`${chat.gateway.url}/v1/chat/completions`, { method: 'POST' });
    expect([unknown.status, unknown.headers.get('x-gateway-attempts')]).toEqual([401, '0']);
    chat.a.enqueue(completion());
    expect(await attempts({})).toBe('1');
  });

  it('counts all targets: after each failed once, one is retried after a wait', async () => {
    chat.a.enqueue(refusal(503)).enqueue(completion());
    chat.b.enqueue(refusal(500));
    const response = await chat.ask('both');
    expect(response.status).toBe(200);
    const { attempts } = await chat.row(response);
    expect(attempts).toMatchObject([{ upstream: 'a' }, { upstream: 'b' }, { upstream: 'a', outcome: 'ok' }]);
    const [, second, third] = attempts as { startMs: number }[];
    expect((third?.startMs ?? 0) - (second?.startMs ?? 0)).toBeGreaterThanOrEqual(95);
  });

  it('is the maximum of upstream calls', async () => {
    chat.a.enqueue(refusal(503)).enqueue(refusal(503));
    chat.b.enqueue(refusal(500));
    const response = await chat.ask('both');
    expect(response.status).toBeGreaterThan(499);
    expect(response.headers.get('x-gateway-attempts')).toBe('3');
    expect(response.headers.get('x-should-retry')).toBe('false');
  });

  it('waits as long as the shortest Retry-After of the targets', async () => {
    chat.a.enqueue(refusal(503, 'x', { 'retry-after-ms': '3000' }));
    chat.b.enqueue(refusal(503, 'x', { 'retry-after-ms': '400' })).enqueue(completion());
    const response = await chat.ask('both');
    const [, second, third] = (await chat.row(response)).attempts as { startMs: number; upstream: string }[];
    expect(third?.upstream).toBe('b');
    // Times are whole ms, and timers may fire a ms early.
    expect((third?.startMs ?? 0) - (second?.startMs ?? 0)).toBeGreaterThanOrEqual(397);
  });
});

describe('a model with more targets than attempts', () => {
  let chat: RoutingTest;
  beforeAll(async () => {
    const targets = ['a', 'b', 'c'].map((name, index) => `{ upstream: ${name}, model: m, priority: ${index + 1} }`);
    chat = await RoutingTest.start({
      settings: 'retry: { attempts: 1 }',
      models: { three: `targets: [${targets}], fallback: [last]`, last: 'targets: [{ upstream: d, model: n }]' },
      upstreams: { a: ['a'], b: ['b'], c: ['c'], d: ['c'] },
    });
  });

  it('tries each once, including fallbacks', async () => {
    for (const server of [chat.a, chat.b, chat.c]) server.enqueue(refusal(500));
    chat.c.enqueue(completion());
    const response = await chat.ask('three');
    expect(await response.json()).toMatchObject({ model: 'last' });
    expect(response.headers.get('x-gateway-attempts')).toBe('4');
  });
});

describe('targets of the same priority', () => {
  let chat: RoutingTest;
  beforeAll(async () => {
    const targets = [
      '{ upstream: a, model: m }',
      '{ upstream: b, model: m, weight: 3 }',
      '{ upstream: c, model: m, priority: 2 }',
    ];
    chat = await RoutingTest.start({
      models: { m: `targets: [${targets}]` },
      upstreams: { a: ['a'], b: ['b'], c: ['c'] },
    });
  });

  it('share calls by weight, before the next priority', async () => {
    for (const server of [chat.a, chat.b, chat.c]) server.always(() => completion());
    for (let i = 0; i < 200; i++) await (await chat.ask('m')).text();
    expect(chat.c.requests).toHaveLength(0);
    // 50 are expected; these bounds fail once in ten million runs.
    expect(chat.a.requests.length).toBeGreaterThan(20);
    expect(chat.a.requests.length).toBeLessThan(85);
  });

  it('are chosen by load in proportion to their weight', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const later: Script = [async () => opened, completion()];
    for (const server of [chat.a, chat.b]) server.always(() => later);
    const before = [chat.a.requests.length, chat.b.requests.length];
    const requested = Array.from({ length: 40 }, () => chat.ask('m'));
    const counts = () => [chat.a.requests.length - (before[0] ?? 0), chat.b.requests.length - (before[1] ?? 0)];
    await eventually(() => (counts()[0] ?? 0) + (counts()[1] ?? 0) === 40);
    const [ofA = 0] = counts();
    open();
    await Promise.all(requested.map(async (response) => (await response).text()));
    expect(ofA).toBeGreaterThanOrEqual(5);
    expect(ofA).toBeLessThanOrEqual(15);
  });
});
