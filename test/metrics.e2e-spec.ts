import { beforeAll, describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../src/audit/audit.types.js';
import { ApiKeysService } from '../src/auth/api-keys.service.js';
import { GATEWAY_VERSION } from '../src/config/environment.js';
import { completion, refusal, stream, USAGE } from './support/chat-answers.js';
import { ChatTest, QUESTION } from './support/chat-test.js';
import { expectError } from './support/error-reply.js';
import { eventually } from './support/eventually.js';
import { metricOf, readMetrics, type Sample } from './support/metrics-text.js';
import { gate } from './support/script.js';
import { TestGateway } from './support/test-gateway.js';

const MODEL = 'gpt-6-luna';

async function metricsAt(url: string): Promise<Sample[]> {
  const response = await fetch(`${url}/metrics`);
  expect(response.status).toBe(200);
  return readMetrics(await response.text());
}

describe('the metrics of calls', () => {
  let chat: ChatTest;
  beforeAll(async () => {
    chat = await ChatTest.start({ settings: 'retry: { attempts: 2 }' });
  });

  const scrape = () => metricsAt(chat.gateway.url);
  const calls = (samples: readonly Sample[], labels: Record<string, string>) =>
    metricOf(samples, 'gateway_calls_total', { model: MODEL, upstream: 'openai', ...labels });

  it('count calls, tokens, cost and attempts, and measure their times', async () => {
    for (const script of [refusal(500), completion(), stream()]) chat.upstream.enqueue(script);
    await (await chat.ask()).text();
    await (await chat.ask({ stream: true })).text();
    const samples = await scrape();
    expect(calls(samples, { status: 'settled', stream: 'false' })).toBe(1);
    expect(calls(samples, { status: 'settled', stream: 'true' })).toBe(1);
    expect(calls(samples, { status: 'failed' })).toBe(0);
    const tokens = (kind: string) => metricOf(samples, 'gateway_tokens_total', { model: MODEL, kind });
    expect(tokens('input')).toBe(2 * USAGE.prompt_tokens);
    expect(tokens('output')).toBe(2 * USAGE.completion_tokens);
    expect(tokens('cached')).toBe(0);
    const costs = (await chat.gateway.calls()).map(({ cost_nanodollars }) => Number(cost_nanodollars));
    expect(costs.length).toBe(2);
    expect(metricOf(samples, 'gateway_cost_nanodollars_total', { model: MODEL })).toBe(
      costs.reduce((sum, cost) => sum + cost, 0),
    );
    expect(metricOf(samples, 'gateway_attempts_total', { upstream: 'openai', outcome: 'ok' })).toBe(2);
    expect(metricOf(samples, 'gateway_attempts_total', { upstream: 'openai', outcome: 'upstream_error' })).toBe(1);
    expect(metricOf(samples, 'gateway_call_seconds_count')).toBe(2);
    expect(metricOf(samples, 'gateway_first_token_seconds_count')).toBe(2);
    expect(metricOf(samples, 'gateway_head_seconds_count')).toBe(3);
    expect(metricOf(samples, 'gateway_inter_token_seconds_count')).toBeGreaterThanOrEqual(3);
    expect(metricOf(samples, 'gateway_calls_in_flight')).toBe(0);
  });

  it('include the batches written by the ledger', async () => {
    const samples = await scrape();
    for (const writer of ['open', 'closed']) {
      expect(metricOf(samples, 'gateway_ledger_batch_rows_sum', { writer })).toBe(2);
      expect(metricOf(samples, 'gateway_ledger_batch_seconds_count', { writer })).toBe(
        metricOf(samples, 'gateway_ledger_batch_rows_count', { writer }),
      );
    }
  });

  it('count a call in progress, and its end when the client disconnects', async () => {
    chat.upstream.enqueue(stream(['Hello', gate(new Promise(() => undefined))]));
    const leaving = new AbortController();
    const response = await chat.ask({ stream: true }, { signal: leaving.signal });
    await response.body?.getReader().read();
    expect(metricOf(await scrape(), 'gateway_calls_in_flight')).toBe(1);
    leaving.abort();
    await eventually(async () => metricOf(await scrape(), 'gateway_calls_in_flight') === 0);
    const samples = await scrape();
    expect(calls(samples, { status: 'aborted', stream: 'true' })).toBe(1);
    expect(metricOf(samples, 'gateway_attempts_total', { outcome: 'aborted' })).toBe(1);
  });

  it('have histograms whose buckets add up', async () => {
    const samples = await scrape();
    for (const name of ['call', 'first_token', 'inter_token', 'head'].map((part) => `gateway_${part}_seconds`)) {
      const buckets = samples.filter((sample) => sample.name === `${name}_bucket`).map(({ value }) => value);
      expect(buckets).toEqual([...buckets].sort((a, b) => a - b));
      expect(metricOf(samples, `${name}_bucket`, { le: '+Inf' })).toBe(metricOf(samples, `${name}_count`));
      expect(metricOf(samples, `${name}_sum`)).toBeGreaterThan(0);
    }
  });

  it('show which targets are set aside', async () => {
    const aside = async () => metricOf(await scrape(), 'gateway_targets_aside', { upstream: 'openai', model: MODEL });
    expect((await scrape()).map(({ name }) => name)).toContain('gateway_targets_aside');
    expect(await aside()).toBe(0);
    chat.upstream.enqueue(refusal(429, 'Slow down.', { 'retry-after': '30' }));
    expect((await chat.ask()).status).toBe(429);
    expect(await aside()).toBe(1);
  });

  it('count the calls rejected by limits', async () => {
    const { key } = chat.free;
    await chat.gateway.services
      .get(ApiKeysService)
      .update({ id: key.id }, { limits: { requestsPerMinute: 1 } }, GATEWAY);
    const labels = { kind: 'requests_per_minute', scope: 'key' };
    const statuses: number[] = [];
    await eventually(async () => {
      chat.upstream.enqueue(completion());
      statuses.push((await chat.gateway.complete(chat.free, QUESTION)).status);
      return statuses.at(-1) === 429;
    });
    const refused = statuses.filter((status) => status === 429).length;
    expect(metricOf(await scrape(), 'gateway_limit_refusals_total', labels)).toBe(refused);
  });

  it('describe the process, and contain no keys, users or texts', async () => {
    const samples = await scrape();
    expect(metricOf(samples, 'process_resident_memory_bytes')).toBeGreaterThan(0);
    expect(samples.map(({ name }) => name)).toContain('nodejs_eventloop_lag_p99_seconds');
    const unknown = await chat.ask({ model: 'whatever-i-like' });
    expect(unknown.status).toBe(404);
    const text = await (await chat.gateway.get('/metrics')).text();
    for (const secret of ['whatever-i-like', chat.pro.key.id, chat.pro.id, chat.pro.key.display, 'hello']) {
      expect(text).not.toContain(secret);
    }
  });

  it('continue if they are read twice', async () => {
    const before = await scrape();
    expect(calls(await scrape(), { stream: 'true' })).toBe(calls(before, { stream: 'true' }));
  });

  it('are not logged', async () => {
    await scrape();
    await (await chat.gateway.get('/v1/models', chat.pro.headers)).text();
    await eventually(() => chat.gateway.log.some(({ path }) => path === '/v1/models'));
    expect(chat.gateway.log.filter(({ path }) => path === '/metrics')).toEqual([]);
  });
});

describe('the metrics of an overloaded gateway', () => {
  it('count the refused calls by reason', async () => {
    const chat = await ChatTest.start({ settings: 'overload: { maxCalls: 1 }' });
    chat.upstream.enqueue(stream(['Hello', gate(new Promise(() => undefined))]));
    const leaving = new AbortController();
    const first = await chat.ask({ stream: true }, { signal: leaving.signal });
    await first.body?.getReader().read();
    expect((await chat.ask()).status).toBe(503);
    const samples = await metricsAt(chat.gateway.url);
    expect(metricOf(samples, 'gateway_shed_total', { reason: 'calls' })).toBe(1);
    expect(metricOf(samples, 'gateway_shed_total')).toBe(1);
    leaving.abort();
  });
});

describe('access to the metrics', () => {
  const start = (config: string, env = {}) =>
    TestGateway.start({ env: { SIMULATOR: 'on', ...env }, config: { 'gateway.yaml': config } });

  it('access to the metrics on the port of the gateway is limited to this machine, without clients of its proxies', async () => {
    const gateway = await start('');
    expect((await gateway.get('/metrics')).status).toBe(200);
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip']) {
      const reply = await gateway.get('/metrics', { [name]: '127.0.0.1' });
      await expectError(reply, { status: 403, type: 'permission_error', code: 'ip_not_allowed' });
    }
  });

  it('is granted to the addresses of metrics.allow, also behind a trusted proxy', async () => {
    const gateway = await start('{ server: { trustProxy: [127.0.0.1] }, metrics: { allow: [203.0.113.0/24] } }');
    const from = async (address: string) => (await gateway.get('/metrics', { 'x-forwarded-for': address })).status;
    expect(await from('203.0.113.7')).toBe(200);
    expect(await from('198.51.100.1')).toBe(403);
  });

  it('access to the metrics with METRICS_PORT is open on that port, and closed elsewhere', async () => {
    const gateway = await start('', { METRICS_PORT: '0' });
    const port = gateway.log.flatMap(({ msg }) => /^The metrics are on port (\d+)/.exec(String(msg))?.[1] ?? [])[0];
    const reply = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(reply.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(metricOf(readMetrics(await reply.text()), 'process_start_time_seconds')).toBeGreaterThan(0);
    await expectError(await gateway.get('/metrics'), { status: 404, code: 'unknown_url' });
    expect((await fetch(`http://127.0.0.1:${port}/v1/models`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(405);
    await gateway.stop();
    await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow('fetch failed');
  });
});

describe('the metrics of answers', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await TestGateway.start({ env: { SIMULATOR: 'on' } });
  });

  const answers = async (labels: Record<string, string>) =>
    metricOf(await metricsAt(gateway.url), 'gateway_answers_total', labels);
  const ask = (body: string, headers: Record<string, string> = {}) =>
    fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });

  it('count every request by its status and code, including refused ones', async () => {
    const user = await gateway.createUser();
    expect((await gateway.complete(user, QUESTION)).status).toBe(200);
    expect((await ask('{}')).status).toBe(401);
    expect((await ask('{', user.headers)).status).toBe(400);
    expect((await fetch(`${gateway.url}/v1/models`, { headers: user.headers })).status).toBe(200);
    expect((await fetch(`${gateway.url}/api/keys`)).status).toBe(401);
    await eventually(async () => (await answers({ api: 'console', status: '401' })) === 1);
    expect(await answers({ api: 'chat.completions', status: '200', code: 'ok' })).toBe(1);
    expect(await answers({ api: 'chat.completions', status: '401', code: 'invalid_api_key' })).toBe(1);
    expect(await answers({ api: 'chat.completions', status: '400', code: 'invalid_json' })).toBe(1);
    expect(await answers({ api: 'models', status: '200', code: 'ok' })).toBe(1);
  });

  it('report the version and whether it is ready', async () => {
    const samples = await metricsAt(gateway.url);
    expect(metricOf(samples, 'gateway_ready')).toBe(1);
    expect(metricOf(samples, 'gateway_build_info', { version: GATEWAY_VERSION, node: process.version })).toBe(1);
  });
});
