import { beforeEach, describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../src/audit/audit.types.js';
import { UserLimitsService } from '../src/limits/settings/limit-settings.service.js';
import type { LimitChange } from '../src/limits/values/limit-values.js';
import { SHARED_ANSWER_TABLE, SHARED_TABLE, STREAMED_TABLE } from './support/api-table.js';
import { ApiTest, answerOf, COST_NANODOLLARS, expectApiError, TEXTS } from './support/api-test.js';
import { refusal } from './support/chat-answers.js';
import { eventually } from './support/eventually.js';
import { gate, hang } from './support/script.js';
import type { TestUser } from './support/test-gateway.js';

/** An eighth of it pays for less than 400 tokens of output. */
const SMALL_BUDGET = 30_000_000n;

let user: TestUser;
const test = await ApiTest.start();
beforeEach(async () => {
  user = await test.gateway.createUser();
});

const limit = (change: LimitChange) => test.gateway.services.get(UserLimitsService).set(user.id, change, GATEWAY);
const balance = async () =>
  (await test.gateway.database.query('SELECT * FROM limit_balances WHERE id = $1', [user.id]))[0];
const rateLimited = { status: 429, code: 'rate_limit_exceeded' };
const requested = () => test.a.requests.length;

describe.each(SHARED_TABLE)('%s', (_name, row) => {
  it('admits as many requests per minute as its caller is allowed', async () => {
    await limit({ requestsPerMinute: 1 });
    test.a.enqueue(answerOf(row, false));
    const first = await test.ask(row, {}, { user });
    expect([first.status, first.headers.get('x-ratelimit-remaining-requests')]).toEqual([200, '0']);
    const before = requested();
    // The second of them is refused without a query, before its body is read.
    for (let turn = 0; turn < 2; turn++) {
      const refused = await test.ask(row, {}, { user });
      expect(await expectApiError(row, refused, rateLimited)).toMatch(/limit of the user is 1 request a minute/);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(Number(refused.headers.get('retry-after-ms'))).toBeGreaterThan(0);
      expect(refused.headers.get('x-ratelimit-limit-requests')).toBe('1');
    }
    expect(requested()).toBe(before);
  });

  it('does not count requests that it refuses because of their body or model', async () => {
    await limit({ requestsPerMinute: 5 });
    expect((await test.post(row, '{', { user })).status).toBe(400);
    expect((await test.ask(row, {}, { user, variant: '-absent' })).status).toBe(404);
    expect(await balance()).toBeUndefined();
  });

  it('includes the limits in the error of an upstream', async () => {
    await limit({ requestsPerMinute: 5 });
    test.a.enqueue(refusal(500));
    const failed = await test.ask(row, {}, { user });
    await expectApiError(row, failed, { status: 502, code: 'upstream_error' });
    expect(failed.headers.get('x-ratelimit-remaining-requests')).toBe('4');
  });

  it('admits as many concurrent calls as its caller is allowed', async () => {
    await limit({ concurrentCalls: 1 });
    const opened = Promise.withResolvers<void>();
    test.a.enqueue(answerOf(row, false, [gate(opened.promise)]));
    const first = test.ask(row, {}, { user });
    await eventually(async () => (await balance())?.running === 1);
    const refused = await test.ask(row, {}, { user });
    expect(await expectApiError(row, refused, rateLimited)).toMatch(/limit of the user is 1 call at a time/);
    expect(refused.headers.get('retry-after')).toBe('1');
    opened.resolve();
    expect((await first).status).toBe(200);
    expect(await balance()).toMatchObject({ running: 0 });
  });

  it('refuses calls when the budget is spent', async () => {
    await limit({ budgetTotalNanodollars: 0n });
    const before = requested();
    const refused = await test.ask(row, {}, { user });
    const message = await expectApiError(row, refused, { status: 429, code: 'insufficient_quota' });
    expect(message).toMatch(/total budget of the user is used up/);
    expect([refused.headers.get('x-should-retry'), refused.headers.get('retry-after')]).toEqual(['false', null]);
    expect(requested()).toBe(before);
  });

  it('never admits a prompt larger than the tokens per minute', async () => {
    await limit({ tokensPerMinute: 1 });
    const refused = await test.ask(row, {}, { user });
    expect(await expectApiError(row, refused, rateLimited)).toMatch(/more than the limit ever allows/);
    expect([refused.headers.get('x-should-retry'), refused.headers.get('retry-after')]).toEqual(['false', null]);
  });
});

describe.each(SHARED_ANSWER_TABLE)('%s', (_name, row, stream) => {
  it('is charged to the budget once, at its cost', async () => {
    await limit({ budgetTotalNanodollars: SMALL_BUDGET });
    test.a.enqueue(answerOf(row, stream));
    await (await test.ask(row, stream ? { stream } : {}, { user })).text();
    const cost = row.streams ? COST_NANODOLLARS.chat : COST_NANODOLLARS.embeddings;
    expect(await balance()).toMatchObject({ spent_total: cost, reserved_total: '0', running: 0 });
  });
});

describe.each(STREAMED_TABLE)('%s', (_name, row) => {
  it('requests no more output from the upstream than the budget pays for, and reports it', async () => {
    await limit({ budgetTotalNanodollars: SMALL_BUDGET });
    test.a.enqueue(answerOf(row, false));
    const response = await test.ask(row, { [row.client.ceiling]: 4000 }, { user });
    expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 200 });
    const reported = Number(response.headers.get('x-gateway-output-ceiling'));
    expect(reported).toBeGreaterThanOrEqual(256);
    expect(reported).toBeLessThan(400);
    expect(test.a.requests.at(-1)?.json()).toMatchObject({ [row.wire.ceiling]: reported });
  });

  it('keeps an output ceiling that the budget can pay for', async () => {
    await limit({ budgetTotalNanodollars: SMALL_BUDGET });
    test.a.enqueue(answerOf(row, false));
    const response = await test.ask(row, { [row.client.ceiling]: 77 }, { user });
    expect([response.status, response.headers.get('x-gateway-output-ceiling')]).toEqual([200, null]);
    expect(test.a.requests.at(-1)?.json()).toMatchObject({ [row.wire.ceiling]: 77 });
  });

  it('requests no more output than the model has, which is what a budget reserves', async () => {
    await limit({ budgetTotalNanodollars: 1_000_000_000n });
    test.a.enqueue(answerOf(row, false));
    const response = await test.ask(row, { [row.client.ceiling]: 90_000 }, { user });
    expect([response.status, response.headers.get('x-gateway-output-ceiling')]).toEqual([200, null]);
    expect(test.a.requests.at(-1)?.json()).toMatchObject({ [row.wire.ceiling]: 5000 });
  });

  it('is charged for a stream whose caller disconnects', async () => {
    await limit({ budgetTotalNanodollars: SMALL_BUDGET });
    const leaving = new AbortController();
    test.a.enqueue(row.wire.stream([TEXTS[0], hang()]));
    const response = await test.ask(row, { stream: true }, { user, signal: leaving.signal });
    await response.body?.getReader().read();
    leaving.abort();
    const { status, cost_nanodollars: cost } = await test.row(response);
    expect(status).toBe('aborted');
    expect(Number(cost)).toBeGreaterThan(0);
    expect(await balance()).toMatchObject({ spent_total: cost, reserved_total: '0', running: 0 });
  });
});
