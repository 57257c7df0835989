import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { completion, refusal, stream } from './support/chat-answers.js';
import { expectError } from './support/error-reply.js';
import { metricOf, readMetrics } from './support/metrics-text.js';
import { RoutingTest } from './support/routing-test.js';

const one = (server: string, n: string) => `targets: [{ upstream: ${server}${n}, model: m }]`;
const dear = 'price: { inputUsdPerMTok: 10, outputUsdPerMTok: 20 }';

describe('a fallback', () => {
  let chat: RoutingTest;
  beforeAll(async () => {
    chat = await RoutingTest.start({
      settings: 'retry: { attempts: 1 }',
      models: {
        requested: `${one('a', '')}, fallback: [hidden, text, dear, cheap]`,
        hidden: one('c', ''),
        text: `${one('c', 'x')}, capabilities: []`,
        dear: `${one('b', '')}, ${dear}, maxOutputTokens: 77`,
        cheap: one('c', 'y'),
        gratis: `${one('a', 'z')}, fallback: [dear, cheap]`,
        lone: `${one('b', 'z')}, ${dear}, fallback: [cheap]`,
      },
      upstreams: { a: ['a'], az: ['a'], b: ['b'], bz: ['b'], c: ['c'], cx: ['c'], cy: ['c'] },
    });
  });
  afterEach(() => {
    for (const server of [chat.a, chat.b, chat.c]) server.always(() => refusal(500));
  });

  const keyFor = (...models: string[]) => chat.gateway.createUser({ models });

  it('answers under its own name, names the requested model, is charged at its own prices, and counts for the requested model', async () => {
    const user = await keyFor('requested', 'dear');
    const metrics = async () => readMetrics(await (await chat.gateway.get('/metrics')).text());
    const before = await metrics();
    chat.a.enqueue(refusal(503));
    chat.b.enqueue(completion());
    const response = await chat.ask('requested', {}, user);
    expect(await response.json()).toMatchObject({ model: 'dear', usage: { prompt_tokens: 11, completion_tokens: 3 } });
    expect(response.headers.get('x-gateway-fallback-from')).toBe('requested');
    expect(response.headers.get('x-gateway-attempts')).toBe('2');
    const row = await chat.row(response);
    expect(row).toMatchObject({ model: 'requested', served_model: 'dear', upstream: 'b', cost_nanodollars: '170000' });
    expect(chat.b.requests.at(-1)?.json()).toMatchObject({ model: 'm' });
    const after = await metrics();
    const rise = (name: string, labels: Record<string, string>) =>
      metricOf(after, name, labels) - metricOf(before, name, labels);
    expect(rise('gateway_calls_total', { model: 'requested', upstream: 'b', status: 'settled' })).toBe(1);
    expect(rise('gateway_cost_nanodollars_total', { model: 'requested' })).toBe(170_000);
    expect(rise('gateway_tokens_total', { model: 'requested', kind: 'output' })).toBe(3);
    for (const name of ['calls_total', 'cost_nanodollars_total', 'tokens_total']) {
      expect(rise(`gateway_${name}`, { model: 'dear' })).toBe(0);
    }
    expect(rise('gateway_attempts_total', { upstream: 'a', outcome: 'overloaded' })).toBe(1);
    expect(rise('gateway_attempts_total', { upstream: 'b', outcome: 'ok' })).toBe(1);
  });

  it('a fallback with a price is not used when a budget cannot pay for it, and the free model and free fallbacks still answer', async () => {
    const limits = { budgetTotalNanodollars: 1000n };
    const models = ['gratis', 'dear', 'cheap', 'lone'];
    const user = await chat.gateway.createUser({ models, limits });
    const refusals = async () => {
      const metrics = readMetrics(await (await chat.gateway.get('/metrics')).text());
      return metricOf(metrics, 'gateway_limit_refusals_total', { kind: 'budget_total', scope: 'key' });
    };
    const before = await refusals();
    for (const streamed of [false, true]) {
      chat.a.enqueue(streamed ? stream(['Hi.']) : completion());
      const response = await chat.ask('gratis', { stream: streamed }, user);
      expect([response.status, (await response.text()).includes('gratis')]).toEqual([200, true]);
    }
    expect(await refusals()).toBe(before);
    const called = chat.b.requests.length;
    chat.a.enqueue(refusal(503));
    chat.c.enqueue(completion());
    const served = await chat.ask('gratis', {}, user);
    expect([served.status, served.headers.get('x-gateway-fallback-from')]).toEqual([200, 'gratis']);
    expect(await served.json()).toMatchObject({ model: 'cheap' });
    expect(chat.b.requests).toHaveLength(called);
    for (const model of ['dear', 'lone']) {
      await expectError(await chat.ask(model, {}, user), {
        status: 429,
        code: 'insufficient_quota',
        type: 'insufficient_quota',
      });
    }
    const rich = await chat.gateway.createUser({ models, limits: { budgetTotalNanodollars: 1_000_000_000n } });
    chat.a.enqueue(refusal(503));
    chat.b.enqueue(completion());
    expect(await (await chat.ask('gratis', {}, rich)).json()).toMatchObject({ model: 'dear' });
  });

  it('streams under its own name, usage included', async () => {
    const user = await keyFor('requested', 'dear');
    chat.a.enqueue(refusal(503));
    chat.b.enqueue(stream());
    const options = { stream: true, stream_options: { include_usage: true } };
    const response = await chat.ask('requested', options, user);
    expect(response.headers.get('x-gateway-fallback-from')).toBe('requested');
    const text = await response.text();
    const models = [...text.matchAll(/"model":"(\w+)"/g)].map(([, model]) => model);
    expect(new Set(models)).toEqual(new Set(['dear']));
    expect(text).toContain('"total_tokens":14');
  });

  it('is skipped if the caller cannot use it, or if it cannot serve the request', async () => {
    const user = await keyFor('requested', 'text', 'cheap');
    chat.a.enqueue(refusal(503));
    chat.c.enqueue(completion());
    const tools = [{ type: 'function', function: { name: 'f' } }];
    const response = await chat.ask('requested', { tools }, user);
    expect(await response.json()).toMatchObject({ model: 'cheap' });
    expect((await chat.row(response)).attempts).toMatchObject([{ upstream: 'a' }, { upstream: 'cy' }]);
  });

  it('follows a failed one, too', async () => {
    const user = await keyFor('requested', 'dear', 'cheap');
    for (const server of [chat.a, chat.b]) server.enqueue(refusal(503));
    chat.c.enqueue(completion());
    expect(await (await chat.ask('requested', {}, user)).json()).toMatchObject({ model: 'cheap' });
  });

  it("is not tried when the model's own target refuses the request", async () => {
    const before = chat.b.requests.length;
    chat.a.enqueue(refusal(400, 'Not like this.'));
    const response = await chat.ask('requested');
    await expectError(response, { status: 400, code: 'invalid_value' });
    expect(chat.b.requests).toHaveLength(before);
  });
});
