import { beforeEach, describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../src/audit/audit.types.js';
import { hashApiKey } from '../src/auth/api-key.secret.js';
import { ApiKeysService } from '../src/auth/api-keys.service.js';
import { CallersService } from '../src/auth/callers.service.js';
import { PlanDefinitionsService } from '../src/billing/plan-definitions.service.js';
import { UserLimitsService } from '../src/limits/settings/limit-settings.service.js';
import type { LimitChange } from '../src/limits/values/limit-values.js';
import { completion, refusal, stream } from './support/chat-answers.js';
import { ChatTest, QUESTION } from './support/chat-test.js';
import { budgetsCounted } from './support/counted-budgets.js';
import { eventually } from './support/eventually.js';
import { expectRefusal, headersOf } from './support/limit-replies.js';
import { gate } from './support/script.js';
import { TestGateway, type TestUser } from './support/test-gateway.js';

/** The price of an output token of `QUESTION`'s model. */
const OUTPUT_NANODOLLARS = 500n;
const USAGE = { prompt_tokens: 11, completion_tokens: 100, total_tokens: 111 };

let user: TestUser;

// No probe of a target may take an answer that a test prepared.
const chat = await ChatTest.start({
  settings: 'retry: { attempts: 1 }\nrouting: { consecutiveFailures: 1000, minimumCalls: 1000 }',
});
beforeEach(async () => {
  user = await chat.gateway.createUser();
});

const service = <Service>(type: new (...parts: never[]) => Service): Service => chat.gateway.services.get(type);
const setUser = (change: LimitChange, id = user.id) => service(UserLimitsService).set(id, change, GATEWAY);
const setKey = (change: LimitChange, id = user.key.id) =>
  service(ApiKeysService).update({ id }, { limits: change }, GATEWAY);
const requested = () => chat.upstream.requests.length;
const header = (response: Response, name: string) => response.headers.get(name);
const rowsOf = (id = user.id) => chat.gateway.database.query('SELECT * FROM usage_calls WHERE user_id = $1', [id]);
const balanceOf = async (id = user.id) =>
  (await chat.gateway.database.query('SELECT * FROM limit_balances WHERE id = $1', [id]))[0];

function ask(fields: object = {}, by = user, script = completion()): Promise<Response> {
  chat.upstream.enqueue(script);
  return askOnly(fields, by);
}

/** Prepares no answer. */
function askOnly(fields: object = {}, by = user): Promise<Response> {
  return chat.gateway.complete(by, { ...QUESTION, ...fields });
}

describe('a caller without limits', () => {
  it('gets no limit headers, and causes no queries of limits', async () => {
    const response = await ask();
    expect([response.status, headersOf(response)]).toEqual([200, {}]);
    expect(await balanceOf()).toBeUndefined();
  });
});

describe('requests per minute', () => {
  it('are admitted while there are any, and reported in every reply', async () => {
    await setUser({ requestsPerMinute: 2 });
    const first = await ask();
    expect([first.status, headersOf(first)]).toEqual([
      200,
      {
        'x-ratelimit-limit-requests': '2',
        'x-ratelimit-remaining-requests': '1',
        'x-ratelimit-reset-requests': expect.stringMatching(/^(30|2\d(\.\d+)?)s$/),
      },
    ]);
    const second = await ask({ stream: true }, user, stream());
    expect(header(second, 'x-ratelimit-remaining-requests')).toBe('0');
    await second.text();
    const before = requested();
    const refused = await askOnly();
    const { type } = await expectRefusal(
      refused,
      'rate_limit_exceeded',
      /limit of the user is 2 requests a minute.*in \d+ s/,
    );
    expect(type).toBe('requests');
    expect(Number(header(refused, 'retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(header(refused, 'retry-after-ms'))).toBeGreaterThan(0);
    expect(header(refused, 'x-ratelimit-remaining-requests')).toBe('0');
    expect(header(refused, 'x-ratelimit-reset-requests')).toMatch(/^(1m0s|\d+(\.\d+)?s)$/);
    expect([requested(), (await rowsOf()).length]).toEqual([before, 2]);
  });

  it('are rejected by the process itself until the next one is available, without a query', async () => {
    await setUser({ requestsPerMinute: 1 });
    await ask();
    await askOnly();
    const before = await balanceOf();
    const refused = await askOnly();
    expect([refused.status, header(refused, 'x-ratelimit-limit-requests')]).toEqual([429, '1']);
    expect(await balanceOf()).toEqual(before);
  });

  it('are available as soon as the limit is raised', async () => {
    await setUser({ requestsPerMinute: 1 });
    await ask();
    expect((await askOnly()).status).toBe(429);
    await setUser({ requestsPerMinute: 100 });
    chat.upstream.enqueue(completion());
    await eventually(async () => (await askOnly()).status === 200);
  });

  it('requests per minute of a plan are counted across all keys of a user, and per user', async () => {
    await service(PlanDefinitionsService).update('free', { limits: { requestsPerMinute: 1 } }, GATEWAY);
    try {
      const other = await service(ApiKeysService).create({ name: 'other', userId: user.id }, GATEWAY);
      const otherKey = { ...user, headers: { authorization: `Bearer ${other.key}` } };
      expect((await ask()).status).toBe(200);
      await expectRefusal(
        await askOnly({}, otherKey),
        'rate_limit_exceeded',
        /limit of the plan is 1 request a minute/,
      );
      expect((await ask({}, await chat.gateway.createUser())).status).toBe(200);
      await setUser({ requestsPerMinute: null });
      chat.upstream.enqueue(completion());
      await eventually(async () => (await askOnly({}, otherKey)).status === 200);
    } finally {
      await service(PlanDefinitionsService).update('free', { limits: { requestsPerMinute: null } }, GATEWAY);
    }
  });

  it("requests per minute of a key are separate, in addition to its owner's", async () => {
    await setUser({ requestsPerMinute: 10 });
    await setKey({ requestsPerMinute: 1 });
    expect(headersOf(await ask())).toMatchObject({ 'x-ratelimit-limit-requests': '1' });
    await expectRefusal(await askOnly(), 'rate_limit_exceeded', /limit of the key is 1 request a minute/);
    expect(await balanceOf()).toMatchObject({ running: 0, requests_used: expect.closeTo(1, 0) });
  });
});

describe('tokens per minute', () => {
  it('are charged as estimated, and corrected by actual usage', async () => {
    await setUser({ tokensPerMinute: 100 });
    const response = await ask({}, user, completion('Hello.', USAGE));
    expect(headersOf(response)).toMatchObject({
      'x-ratelimit-limit-tokens': '100',
      'x-ratelimit-remaining-tokens': expect.stringMatching(/^9\d$/),
    });
    const refused = await askOnly();
    const { type } = await expectRefusal(refused, 'rate_limit_exceeded', /limit of the user is 100 tokens a minute/);
    expect(type).toBe('tokens');
    expect(header(refused, 'x-ratelimit-remaining-tokens')).toBe('0');
  });

  it('never admit a prompt that is larger than the limit', async () => {
    await setUser({ tokensPerMinute: 100, requestsPerMinute: 100 });
    const refused = await askOnly({ messages: [{ role: 'user', content: 'word '.repeat(100) }] });
    await expectRefusal(refused, 'rate_limit_exceeded', /more than the limit ever allows/);
    expect(header(refused, 'x-should-retry')).toBe('false');
    expect(header(refused, 'retry-after')).toBeNull();
    expect(headersOf(refused)).toMatchObject({ 'x-ratelimit-limit-tokens': '100' });
    expect(headersOf(await ask())).toMatchObject({ 'x-ratelimit-remaining-requests': '99' });
  });
});

describe('concurrent calls', () => {
  it('each take a slot, which is freed when they end, however they end', async () => {
    await setUser({ concurrentCalls: 1 });
    const opened = Promise.withResolvers<void>();
    const first = ask({}, user, [gate(opened.promise), completion()]);
    await eventually(async () => (await balanceOf())?.running === 1);
    const refused = await askOnly();
    const { type } = await expectRefusal(refused, 'rate_limit_exceeded', /limit of the user is 1 call at a time/);
    expect([type, header(refused, 'retry-after')]).toEqual(['requests', '1']);
    opened.resolve();
    expect((await first).status).toBe(200);
    expect((await ask({}, user, refusal(500))).status).toBe(502);
    expect((await ask()).status).toBe(200);
    expect(await balanceOf()).toMatchObject({ running: 0 });
  });
});

describe('a budget', () => {
  it('is charged the cost of calls, and rejects calls that exceed it', async () => {
    await setUser({ budgetMonthNanodollars: 400n * OUTPUT_NANODOLLARS });
    expect((await ask({ max_tokens: 300 }, user, completion('Hello.', USAGE))).status).toBe(200);
    expect(await balanceOf()).toMatchObject({ spent_month: '51100', reserved_month: '0', running: 0 });
    expect((await ask({ max_tokens: 280 }, user, completion('Hello.', USAGE))).status).toBe(200);
    const refused = await askOnly({ max_tokens: 280 });
    const { type } = await expectRefusal(
      refused,
      'insufficient_quota',
      /budget of the user for the month has \$0\.\d+ left\. The maximum cost of this call does not fit: it reserves at least \$0\.\d+\. A shorter prompt or output may fit\. It resets at \d{4}-\d\d-01T00:00:00.000Z/,
    );
    expect([type, header(refused, 'x-should-retry')]).toEqual(['insufficient_quota', 'false']);
    expect(headersOf(refused)).toEqual({});
    expect(
      (await ask({ max_tokens: 50 }, user, completion('Hello.', { ...USAGE, completion_tokens: 50 }))).status,
    ).toBe(200);
  });

  it('lowers the ceiling of an answer that it cannot pay in full, and reports it', async () => {
    await setUser({ budgetTotalNanodollars: 8000n * OUTPUT_NANODOLLARS });
    const response = await ask({}, user, completion('Hello.', USAGE));
    expect(Number(header(response, 'x-gateway-output-ceiling'))).toBeGreaterThan(990);
    expect(Number(header(response, 'x-gateway-output-ceiling'))).toBeLessThan(1000);
    expect(chat.sent().max_completion_tokens).toBe(Number(header(response, 'x-gateway-output-ceiling')));
    const own = await ask({ max_tokens: 500 }, user, completion('Hello.', USAGE));
    expect([header(own, 'x-gateway-output-ceiling'), chat.sent().max_completion_tokens]).toEqual([null, 500]);
    const tooMuch = await ask(
      { max_tokens: 50_000, stream: true },
      user,
      stream(['Hello.'], { usage: USAGE, finish: 'length' }),
    );
    const lowered = Number(header(tooMuch, 'x-gateway-output-ceiling'));
    expect([chat.sent().max_completion_tokens, lowered < 1000]).toEqual([lowered, true]);
    expect(await tooMuch.text()).toContain('"finish_reason":"length"');
  });

  it('is charged actual usage, even above the reservation, which is recorded and logged', async () => {
    await setUser({ budgetTotalNanodollars: 1000n * OUTPUT_NANODOLLARS });
    await ask({ max_tokens: 10 }, user, completion('Hello.', USAGE));
    const [row] = await rowsOf();
    const overReserved = 51_100 - Number(row?.reserved_nanodollars);
    expect(overReserved).toBeGreaterThan(0);
    expect(row).toMatchObject({ cost_nanodollars: '51100', charge: { overReserved, underestimated: 'output' } });
    expect(chat.gateway.log.some(({ msg }) => String(msg).startsWith('A call cost more than was reserved'))).toBe(true);
  });

  it('output above its limit raises what the next call reserves', async () => {
    await setUser({ budgetTotalNanodollars: 10_000n * OUTPUT_NANODOLLARS });
    await ask({ max_tokens: 20 }, user, completion('Hello.', USAGE));
    await ask({ max_tokens: 20 }, user, completion('Hello.', USAGE));
    const [first = 0, second = 0] = (await rowsOf())
      .map((row) => Number(row.reserved_nanodollars))
      .sort((a, b) => a - b);
    expect(second - first).toBe(80 * Number(OUTPUT_NANODOLLARS));
  });

  it('a spent budget of a day names the next midnight as its reset', async () => {
    await setKey({ budgetDayNanodollars: 0n });
    await expectRefusal(await askOnly(), 'insufficient_quota', /budget of the key for the day .*T00:00:00.000Z/);
  });

  it.each([
    ['a user', setUser],
    ['a key', setKey],
    ['a plan', (limits: LimitChange) => service(PlanDefinitionsService).update('free', { limits }, GATEWAY)],
  ])('a budget of %s that was removed and set again includes the spending in between', async (whose, set) => {
    const budget = { budgetMonthNanodollars: 1000n * OUTPUT_NANODOLLARS };
    await set(budget);
    await ask({ max_tokens: 100 }, user, completion('Hello.', USAGE));
    const isFelt = async (limits: number) => {
      const known = await service(CallersService).find(hashApiKey(user.key.key));
      return known?.caller.limits.length === limits;
    };
    await set({ budgetMonthNanodollars: null });
    await eventually(() => isFelt(0));
    const usage = { ...USAGE, completion_tokens: 880 };
    expect((await ask({ max_tokens: 1000 }, user, completion('Hello.', usage))).status).toBe(200);
    await set(budget);
    await eventually(() => isFelt(1));
    // A plan's budget is only counted from the first call on.
    if (whose === 'a plan') await ask({ max_tokens: 1 }, user, completion('!', { ...USAGE, completion_tokens: 1 }));
    await budgetsCounted(chat.gateway.database);
    await expectRefusal(
      await askOnly({ max_tokens: 100 }),
      'insufficient_quota',
      /budget of the (user|key|plan) for the month/,
    );
    await set({ budgetMonthNanodollars: null });
  });

  it('admits simulated calls when it is spent', async () => {
    await setUser({ budgetTotalNanodollars: 0n });
    await expectRefusal(
      await askOnly(),
      'insufficient_quota',
      /total budget of the user is used up. It does not reset/,
    );
    const simulating = await TestGateway.start({ database: chat.gateway.database });
    expect((await simulating.complete(user, QUESTION)).status).toBe(200);
    await simulating.stop();
  });
});

describe('an error reply', () => {
  it("has the caller's limit headers when an upstream failed", async () => {
    await setUser({ requestsPerMinute: 5 });
    const response = await ask({}, user, refusal(500));
    expect([response.status, headersOf(response)]).toMatchObject([502, { 'x-ratelimit-remaining-requests': '4' }]);
  });

  it('is not counted when body, model or permissions of the request are invalid', async () => {
    await setUser({ requestsPerMinute: 5 });
    expect((await askOnly({ messages: [] })).status).toBe(400);
    expect((await askOnly({ model: 'no-such-model' })).status).toBe(404);
    expect(await balanceOf()).toBeUndefined();
  });

  it('is only counted as rejected when a limit rejected it', async () => {
    await setUser({ requestsPerMinute: 1 });
    await ask();
    await askOnly();
    const refusals = () =>
      chat.gateway.database.query('SELECT code, calls::int FROM refused_calls WHERE key_id = $1', [user.key.id]);
    await eventually(async () => (await refusals()).length > 0);
    expect(await refusals()).toEqual([{ code: 'rate_limit_exceeded', calls: 1 }]);
    expect(await rowsOf()).toHaveLength(1);
  });
});
