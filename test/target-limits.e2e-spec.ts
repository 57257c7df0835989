import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CapacityService } from '../src/upstreams/capacity.service.js';
import { completion, refusal } from './support/chat-answers.js';
import { ConsoleClient } from './support/console-client.js';
import { expectError } from './support/error-reply.js';
import { eventually } from './support/eventually.js';
import { RoutingTest } from './support/routing-test.js';
import { gate, json, type Script } from './support/script.js';

/** Each test uses its own upstream names, because usage is tracked by name. */
const one = (n: string, limits = '') => `targets: [{ upstream: ${n}, model: m, ${limits} }]`;
const two = (n: string, limits = '') =>
  `targets: [{ upstream: ${n}, model: m, ${limits} }, { upstream: b, model: m, priority: 2 }]`;

const MODELS = {
  spilling: two('spilling', 'requestsPerMinute: 3'),
  busy: two('busy'),
  busier: two('busy'),
  waiting: one('waiting', 'concurrentCalls: 1'),
  refusing: one('refusing', 'concurrentCalls: 1'),
  rated: one('rated', 'requestsPerMinute: 2'),
  leaving: one('leaving', 'concurrentCalls: 1'),
  tokens: two('tokens', 'tokensPerMinute: 3000'),
  failing: two('failing', 'tokensPerMinute: 3000, concurrentCalls: 1'),
  limited: two('limited'),
  alone: one('alone'),
  unknown: one('unknown'),
  keyed: one('keyed'),
  falling: `${one('falling', 'concurrentCalls: 1')}, fallback: [standby]`,
  standby: one('b'),
};
const ON_A = Object.keys(MODELS).filter((name) => !['busier', 'standby'].includes(name));

describe('a target with provider limits', () => {
  let chat: RoutingTest;
  let open: () => void;
  beforeAll(async () => {
    chat = await RoutingTest.start({
      settings: 'retry: { attempts: 1 }\nrouting: { queue: 1s }',
      models: MODELS,
      upstreams: {
        ...Object.fromEntries(ON_A.map((name) => [name, ['a'] as const])),
        busy: ['a', 'concurrentCalls: 1'],
        keyed: ['a', 'requestsPerMinute: 2'],
        b: ['b'],
      },
      env: { KEYED_API_KEY: 'first', KEYED_API_KEY_2: 'second' },
    });
    chat.b.always(() => completion());
  });
  afterEach(() => open?.());

  /** Holds back the answers of `a` until it is opened. */
  function close(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    open = resolve;
    chat.a.always(() => [gate(promise), completion()]);
  }
  const answer = (script: () => Script) => chat.a.always(script);
  const servedBy = async (response: Response) => {
    expect(response.status).toBe(200);
    return (await chat.row(response)).upstream;
  };
  const capacity = () => chat.gateway.services.get(CapacityService);
  const useOf = (upstream: string) =>
    capacity()
      .list()
      .find((use) => use.upstream === upstream);

  it('is skipped for the next one as soon as it is full', async () => {
    answer(() => completion());
    const before = chat.a.requests.length;
    const served: unknown[] = [];
    for (let i = 0; i < 5; i++) served.push(await servedBy(await chat.ask('spilling')));
    expect(served).toEqual(['spilling', 'spilling', 'spilling', 'b', 'b']);
    expect(chat.a.requests).toHaveLength(before + 3);
    expect(useOf('spilling')).toMatchObject({ model: 'm', key: null, requests: expect.closeTo(1, 0) });
  });

  it('shares the limits of its upstream with all its models', async () => {
    close();
    const before = chat.a.requests.length;
    const first = chat.ask('busy');
    await chat.a.received(before + 1);
    expect(await servedBy(await chat.ask('busier'))).toBe('b');
    expect(await servedBy(await chat.ask('busy'))).toBe('b');
    open();
    expect(await servedBy(await first)).toBe('busy');
    expect(await servedBy(await chat.ask('busier'))).toBe('busy');
  });

  it('falls back to another model immediately', async () => {
    close();
    const before = chat.a.requests.length;
    const first = chat.ask('falling');
    await chat.a.received(before + 1);
    expect((await chat.ask('falling')).headers.get('x-gateway-fallback-from')).toBe('falling');
    open();
    await first;
  });

  it('queues calls, and serves them in order as soon as there is capacity', async () => {
    close();
    const before = chat.a.requests.length;
    const texts = ['first', 'second', 'third', 'fourth'];
    const calls: Promise<Response>[] = [];
    for (const content of texts) {
      calls.push(chat.ask('waiting', { messages: [{ role: 'user', content }] }));
      await eventually(() => chat.a.requests.length === before + 1 && useOf('waiting')?.waiting === calls.length - 1);
    }
    open();
    const responses = await Promise.all(calls);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const requested = chat.a.requests.slice(before).map((request) => request.json()) as {
      messages: { content: string }[];
    }[];
    expect(requested.map(({ messages }) => messages[0]?.content)).toEqual(texts);
    const rows = await Promise.all(responses.map((response) => chat.row(response)));
    const waits = rows.map(({ attempts }) => (attempts as { waitedMs?: number }[])[0]?.waitedMs);
    const last = responses.at(-1)?.headers.get('x-request-id');
    const explained = await (await chat.gateway.get(`/v1/requests/${last}`, chat.user.headers)).json();
    expect(explained).toMatchObject({ attempts: [{ upstream: 'waiting', waitedMs: waits.at(-1) }] });
    expect(waits).toEqual([undefined, expect.any(Number), expect.any(Number), expect.any(Number)]);
  });

  it('answers 429 with Retry-After without an upstream call if there is no capacity in time', async () => {
    close();
    const before = chat.a.requests.length;
    const first = chat.ask('refusing');
    await chat.a.received(before + 1);
    const began = performance.now();
    const refused = await chat.ask('refusing');
    expect(performance.now() - began).toBeGreaterThan(900);
    await expectError(refused, { status: 429, type: 'requests', code: 'rate_limit_exceeded' });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('x-gateway-attempts')).toBe('0');
    expect(chat.a.requests).toHaveLength(before + 1);
    open();
    expect((await first).status).toBe(200);
    expect((await chat.ask('refusing')).status).toBe(200);
    const metrics = await (await chat.gateway.get('/metrics')).text();
    expect(metrics).toMatch(/gateway_target_waits_total\{outcome="refused"\} [1-9]/);
    expect(metrics).toContain('gateway_target_used_ratio{upstream="refusing",key="",model="m",limit="calls"} 0');
  });

  it('reports when a rate limit has capacity again', async () => {
    answer(() => completion());
    for (let i = 0; i < 2; i++) expect((await chat.ask('rated')).status).toBe(200);
    const refused = await chat.ask('rated');
    expect(refused.status).toBe(429);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(15);
    expect(seconds).toBeLessThanOrEqual(30);
  });

  it('drops callers that disconnect while they wait', async () => {
    close();
    const before = chat.a.requests.length;
    const first = chat.ask('leaving');
    await chat.a.received(before + 1);
    const gone = new AbortController();
    const body = JSON.stringify({ model: 'leaving', messages: [{ role: 'user', content: 'x' }] });
    const headers = { ...chat.user.headers, 'content-type': 'application/json' };
    const left = fetch(`${chat.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers,
      body,
      signal: gone.signal,
    });
    await eventually(() => useOf('leaving')?.waiting === 1);
    gone.abort();
    await left.catch(() => null);
    await eventually(() => useOf('leaving')?.waiting === 0);
    open();
    expect((await first).status).toBe(200);
    expect((await chat.ask('leaving')).status).toBe(200);
    expect(chat.a.requests).toHaveLength(before + 2);
  });

  it("counts a call's estimated tokens while it runs, and its actual ones afterwards", async () => {
    close();
    const before = chat.a.requests.length;
    const first = chat.ask('tokens', { max_tokens: 2900 });
    await chat.a.received(before + 1);
    expect(await servedBy(await chat.ask('tokens', { max_tokens: 500 }))).toBe('b');
    open();
    expect(await servedBy(await first)).toBe('tokens');
    expect(await servedBy(await chat.ask('tokens', { max_tokens: 2500 }))).toBe('tokens');
  });

  it('regains its capacity when a call failed', async () => {
    answer(() => refusal(503));
    expect(await servedBy(await chat.ask('failing', { max_tokens: 2900 }))).toBe('b');
    answer(() => completion());
    expect(await servedBy(await chat.ask('failing', { max_tokens: 2900 }))).toBe('failing');
  });

  it('counts each key of an upstream separately', async () => {
    answer(() => completion());
    for (let i = 0; i < 4; i++) expect((await chat.ask('keyed')).status).toBe(200);
    expect((await chat.ask('keyed')).status).toBe(429);
  });

  const none = (more: Record<string, string>) => () =>
    json(200, { ...FINE }, { 'x-ratelimit-remaining-requests': '0', ...more });

  it('is skipped until the reset if its provider reports that nothing is left', async () => {
    answer(none({ 'x-ratelimit-reset-requests': '30s' }));
    expect(await servedBy(await chat.ask('limited'))).toBe('limited');
    expect(await servedBy(await chat.ask('limited'))).toBe('b');
  });

  it('waits for part of the reset if it is the only target and the provider reported the limit', async () => {
    answer(none({ 'x-ratelimit-reset-requests': '20s', 'x-ratelimit-limit-requests': '100' }));
    const before = chat.a.requests.length;
    expect((await chat.ask('alone')).status).toBe(200);
    expect((await chat.ask('alone')).status).toBe(200);
    const [first, second] = chat.a.requests.slice(before);
    expect((second?.receivedAt ?? 0) - (first?.receivedAt ?? 0)).toBeGreaterThan(150);
  });

  it('answers 429 if it is the only target and the limit is unknown', async () => {
    answer(none({ 'x-ratelimit-reset-requests': '30s' }));
    expect((await chat.ask('unknown')).status).toBe(200);
    const refused = await chat.ask('unknown');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(15);
  });

  it('shows its usage in the console', async () => {
    const admin = await ConsoleClient.as(chat.gateway, 'admin');
    const { upstreams } = (await admin.get('/api/upstreams')).body as {
      upstreams: { name: string; limits: object[] }[];
    };
    expect(upstreams.find(({ name }) => name === 'b')?.limits).toEqual([]);
    expect(upstreams.find(({ name }) => name === 'keyed')?.limits).toMatchObject([
      { key: '1', model: null, requestsPerMinute: 2, requests: expect.closeTo(1, 0), waiting: 0 },
      { key: '2', model: null, requestsPerMinute: 2, requests: expect.closeTo(1, 0), waiting: 0 },
    ]);
  });
});

const FINE = {
  id: 'chatcmpl-upstream',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'gpt-upstream',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi', refusal: null }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};
