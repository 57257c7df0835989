import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { answerTo, completion, refusal, stream } from './support/chat-answers.js';
import { eventually } from './support/eventually.js';
import { end, gate, hang, pause, reset } from './support/script.js';
import { ScriptedUpstream } from './support/scripted-upstream.js';
import { StreamReader } from './support/stream-reader.js';
import { TestGateway, type TestUser } from './support/test-gateway.js';

const MODEL = 'gpt-6-luna';
const HELLO = { model: MODEL, messages: [{ role: 'user', content: 'Say hello.' }] };
const CACHED = {
  prompt_tokens: 1000,
  completion_tokens: 50,
  total_tokens: 1050,
  prompt_tokens_details: { cached_tokens: 400 },
  completion_tokens_details: { reasoning_tokens: 20 },
};
/** 600 uncached tokens at 100 nano-dollars, 400 cached ones at 10, 50 output tokens at 500. */
const CACHED_COST = String(600 * 100 + 400 * 10 + 50 * 500);

describe('the row of an accepted call', () => {
  let upstream: ScriptedUpstream;
  let gateway: TestGateway;
  let user: TestUser;

  beforeAll(async () => {
    upstream = await ScriptedUpstream.start();
    gateway = await TestGateway.start({
      env: { OPENAI_BASE_URL: `${upstream.url}/v1`, OPENAI_API_KEY: 'sk-test', SIMULATOR: 'on' },
      config: { 'gateway.yaml': 'retry: { attempts: 3, floor: 100 }\nsimulator: { tokensPerSecond: 100000 }' },
    });
    user = await gateway.createUser({ plan: 'pro' });
    upstream.always((request) => answerTo(request));
  });
  beforeEach(() => gateway.database.query('TRUNCATE usage_calls, refused_calls, recent_errors'));

  const onlyRow = async () => {
    const rows = await gateway.calls();
    expect(rows).toHaveLength(1);
    return rows[0] ?? {};
  };
  const closedRow = () => eventually(async () => (await gateway.calls()).find(({ status }) => status !== 'open'));

  it('has all details of a JSON answer', async () => {
    upstream.enqueue([pause(60), completion('Hello there!', CACHED)]);
    const [before, beganAt] = [Date.now(), performance.now()];
    const response = await gateway.complete(user, HELLO);
    const { id } = (await response.json()) as { id: string };
    const tookMs = performance.now() - beganAt;
    const row = await onlyRow();
    expect(row).toEqual({
      id,
      admitted_at: null,
      answer_id: null,
      client_address: '127.0.0.1',
      http_status: 200,
      user_agent: 'node',
      limited_by: null,
      uncharged_nanodollars: null,
      started_at: expect.any(Date),
      instance_id: expect.stringMatching(/^\d+$/),
      request_id: response.headers.get('x-request-id'),
      key_id: user.key.id,
      key_display: user.key.display,
      user_id: user.id,
      plan_id: 'pro',
      model: MODEL,
      served_model: MODEL,
      upstream: 'openai',
      upstream_model: MODEL,
      simulated: false,
      api: 'chat.completions',
      stream: false,
      status: 'settled',
      finish_reason: 'stop',
      error_code: null,
      input_tokens: '1000',
      cached_tokens: '400',
      output_tokens: '50',
      reasoning_tokens: '20',
      token_source: 'reported',
      price_version: expect.stringMatching(/^[0-9a-f]{12}$/),
      estimated_input_tokens: expect.stringMatching(/^[1-9]\d*$/),
      prompt_nanodollars: expect.stringMatching(/^[1-9]\d*$/),
      charge: null,
      reserved_nanodollars: '0',
      cost_nanodollars: CACHED_COST,
      attempts: [
        {
          upstream: 'openai',
          upstreamModel: MODEL,
          answeredModel: 'gpt-upstream',
          startMs: expect.any(Number),
          ms: expect.any(Number),
          outcome: 'ok',
          status: 200,
        },
      ],
      first_token_ms: expect.any(Number),
      total_ms: expect.any(Number),
      changed_in: expect.stringMatching(/^\d+$/),
      interrupted_in: null,
    });
    expect(Number(row.started_at)).toBeGreaterThanOrEqual(before);
    expect(Number(row.started_at)).toBeLessThanOrEqual(Date.now());
    const [{ startMs, ms }] = row.attempts as [{ startMs: number; ms: number }];
    expect(ms).toBeGreaterThanOrEqual(55);
    expect(row.first_token_ms).toBeGreaterThanOrEqual(startMs + ms - 2);
    expect(row.total_ms).toBeGreaterThanOrEqual(row.first_token_ms as number);
    expect(row.total_ms).toBeLessThanOrEqual(Math.ceil(tookMs));
  });

  it('has the same details of a stream, with and without usage for the caller', async () => {
    for (const options of [{}, { stream_options: { include_usage: true } }]) {
      const { promise: paused, resolve: goOn } = Promise.withResolvers<void>();
      upstream.enqueue(stream(['Hello', gate(paused), ' there!'], { usage: CACHED }));
      const reader = new StreamReader(await gateway.complete(user, { ...HELLO, stream: true, ...options }));
      await reader.until((event) => event.includes('Hello'));
      setTimeout(goOn, 60);
      await reader.until();
    }
    const rows = await gateway.calls();
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      expect(row).toMatchObject({
        stream: true,
        status: 'settled',
        finish_reason: 'stop',
        input_tokens: '1000',
        cached_tokens: '400',
        output_tokens: '50',
        reasoning_tokens: '20',
        token_source: 'reported',
        cost_nanodollars: CACHED_COST,
        attempts: [expect.objectContaining({ outcome: 'ok', status: 200 })],
      });
      expect(Number(row.total_ms) - Number(row.first_token_ms)).toBeGreaterThanOrEqual(50);
    }
    expect(rows[0]?.price_version).toBe(rows[1]?.price_version);
  });

  it('has the estimated tokens that the client gets when the upstream reports none', async () => {
    upstream.enqueue(completion('One two three four five six seven eight.', null));
    const { usage } = (await (await gateway.complete(user, HELLO)).json()) as { usage: Record<string, number> };
    const row = await onlyRow();
    expect(row).toMatchObject({
      status: 'settled',
      token_source: 'estimated',
      cached_tokens: '0',
      reasoning_tokens: '0',
    });
    expect(usage).toEqual({
      prompt_tokens: Number(row.input_tokens),
      completion_tokens: Number(row.output_tokens),
      total_tokens: Number(row.input_tokens) + Number(row.output_tokens),
    });
    expect(usage.completion_tokens).toBe(9);
    expect(row.cost_nanodollars).toBe(String(Number(row.input_tokens) * 100 + 9 * 500));
  });

  it('lists every attempt', async () => {
    upstream.enqueue(refusal(503)).enqueue(reset()).enqueue(completion());
    expect((await gateway.complete(user, HELLO)).status).toBe(200);
    const { status, attempts } = (await onlyRow()) as { status: string; attempts: { startMs: number; ms: number }[] };
    expect(status).toBe('settled');
    expect(attempts).toEqual([
      expect.objectContaining({ outcome: 'overloaded', status: 503 }),
      expect.objectContaining({ outcome: 'upstream_unreachable', status: 0 }),
      expect.objectContaining({ outcome: 'ok', status: 200 }),
    ]);
    for (const [index, attempt] of attempts.entries()) {
      const before = attempts[index - 1];
      if (before) expect(attempt.startMs).toBeGreaterThanOrEqual(before.startMs + before.ms);
    }
  });

  it('is failed and free when the upstream fails without an answer', async () => {
    upstream.enqueue(refusal(400, 'No such thing.'));
    expect((await gateway.complete(user, HELLO)).status).toBe(400);
    expect(await onlyRow()).toMatchObject({
      status: 'failed',
      error_code: 'invalid_value',
      finish_reason: null,
      input_tokens: '0',
      output_tokens: '0',
      cost_nanodollars: '0',
      first_token_ms: null,
      total_ms: expect.any(Number),
      attempts: [expect.objectContaining({ outcome: 'invalid_value', status: 400 })],
    });
  });

  it.each([
    ['breaks off', stream(['One two three four', end()])],
    ['ends without a finish reason', stream(['One two three four'], { finish: null, usage: null })],
  ])('is failed with the tokens so far, and free, when a stream %s', async (_, script) => {
    upstream.enqueue(script);
    const text = await (await gateway.complete(user, { ...HELLO, stream: true })).text();
    expect(text).toContain('"error"');
    expect(text).not.toContain('[DONE]');
    const row = await onlyRow();
    expect(row).toMatchObject({ status: 'failed', finish_reason: null, token_source: 'estimated', output_tokens: '4' });
    expect(row.error_code).toMatch(/^upstream_/);
    expect(row).toMatchObject({ cost_nanodollars: '0', charge: { basis: 'visible', isFree: true } });
    const estimatedCostNanodollars = Number(row.input_tokens) * 100 + 4 * 500;
    expect(row.attempts).toEqual([expect.objectContaining({ outcome: row.error_code, estimatedCostNanodollars })]);
  });

  it('is aborted, and charged for the prompt and the elapsed time, when the client disconnects before an answer', async () => {
    const leaving = new AbortController();
    const arrived = upstream.received(upstream.requests.length + 1);
    upstream.enqueue(hang());
    const request = gateway.complete(user, HELLO, { signal: leaving.signal }).catch(() => undefined);
    await arrived;
    expect(await onlyRow()).toMatchObject({ status: 'open', total_ms: null });
    leaving.abort();
    await request;
    const row = await closedRow();
    expect(row).toMatchObject({ status: 'aborted', first_token_ms: null, charge: { basis: 'time' } });
    expect(Number(row.output_tokens)).toBeGreaterThan(0);
    expect(Number(row.cost_nanodollars)).toBe(Number(row.input_tokens) * 100 + Number(row.output_tokens) * 500);
  });

  it('is free and marked as simulated when the answer is simulated', async () => {
    const model = 'claude-haiku-5.5';
    await (await gateway.complete(user, { ...HELLO, model })).json();
    await (await gateway.complete(user, { ...HELLO, model, stream: true })).text();
    const rows = await gateway.calls();
    expect(rows.map(({ stream: streamed }) => streamed)).toEqual([false, true]);
    for (const row of rows) {
      expect(row).toMatchObject({
        model,
        status: 'settled',
        simulated: true,
        upstream: null,
        upstream_model: null,
        attempts: [],
        token_source: 'reported',
        cost_nanodollars: '0',
      });
      expect(Number(row.output_tokens)).toBeGreaterThan(10);
    }
  });

  it('is one for each of many concurrent calls', async () => {
    const answers = await Promise.all(
      Array.from({ length: 150 }, async (_, index) => {
        const response = await gateway.complete(user, { ...HELLO, stream: index % 2 === 0 });
        await response.text();
        return response.headers.get('x-request-id');
      }),
    );
    const rows = await gateway.calls();
    expect(rows.map(({ request_id }) => request_id).sort()).toEqual(answers.sort());
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['settled']));
    expect(new Set(rows.map(({ id }) => id)).size).toBe(150);
  });

  it('does not exist for a rejected call, which is counted separately', async () => {
    const requested = upstream.requests.length;
    const refused = [
      await gateway.complete({ ...user, headers: { authorization: 'Bearer nonsense' } }, HELLO),
      await gateway.complete(user, { ...HELLO, model: 'no-such-model' }),
      await gateway.complete(user, { ...HELLO, temperature: 'hot' }),
      await gateway.complete(user, { ...HELLO, temperature: 'cold' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 404, 400, 400]);
    const counters = await eventually(async () => {
      const rows = await gateway.database.query(
        'SELECT status, code, key_id, calls::int FROM refused_calls ORDER BY status',
      );
      return rows.length === 3 && rows;
    });
    expect(counters).toEqual([
      { status: 400, code: 'invalid_type', key_id: user.key.id, calls: 2 },
      { status: 401, code: 'invalid_api_key', key_id: null, calls: 1 },
      { status: 404, code: 'model_not_found', key_id: user.key.id, calls: 1 },
    ]);
    const recent = await gateway.database.query<{ request_id: string }>('SELECT request_id FROM recent_errors');
    expect(recent.map(({ request_id }) => request_id).sort()).toEqual(
      refused.map(({ headers }) => headers.get('x-request-id')).sort(),
    );
    expect(await gateway.calls()).toEqual([]);
    expect(upstream.requests).toHaveLength(requested);
  });
});
