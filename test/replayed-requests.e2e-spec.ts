import { describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../src/audit/audit.types.js';
import { UserLimitsService } from '../src/limits/settings/limit-settings.service.js';
import { completion } from './support/chat-answers.js';
import { ChatTest } from './support/chat-test.js';
import { eventually } from './support/eventually.js';

const chat = await ChatTest.start();

const ask = (key: string) => chat.ask({}, { headers: { 'idempotency-key': key } });
const setLimits = (change: Parameters<UserLimitsService['set']>[1]) =>
  chat.gateway.services.get(UserLimitsService).set(chat.pro.id, change, GATEWAY);
const balance = async () => {
  const [row] = await chat.gateway.database.query('SELECT * FROM limit_balances WHERE id = $1', [chat.pro.id]);
  return row;
};

describe('a repeated answer', () => {
  it('counts as one request of the rate, and uses no tokens, slots or budget', async () => {
    await setLimits({ requestsPerMinute: 3, tokensPerMinute: 10_000, budgetTotalNanodollars: 1_000_000_000n });
    chat.upstream.enqueue(completion());
    expect((await ask('once')).status).toBe(200);
    const before = await balance();
    const again = await ask('once');
    expect([again.status, again.headers.get('x-gateway-idempotent-replay')]).toEqual([200, 'true']);
    expect(again.headers.get('x-ratelimit-remaining-requests')).toBe('1');
    const after = await balance();
    expect(after?.requests_used).toBeGreaterThan(Number(before?.requests_used) + 0.5);
    expect(after?.tokens_used).toBeLessThanOrEqual(Number(before?.tokens_used));
    for (const name of ['running', 'spent_total', 'reserved_total']) expect(after?.[name]).toEqual(before?.[name]);

    expect((await ask('once')).status).toBe(200);
    const refused = await ask('once');
    expect([refused.status, refused.headers.get('x-gateway-idempotent-replay')]).toEqual([429, null]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await refused.json()).toMatchObject({ error: { type: 'requests', code: 'rate_limit_exceeded' } });
    expect(chat.upstream.requests).toHaveLength(1);
  });

  it('is returned even if the budget is spent', async () => {
    await setLimits({ requestsPerMinute: null, tokensPerMinute: null, budgetTotalNanodollars: 0n });
    // Changes apply within a second.
    await eventually(async () => (await ask('once')).status === 200);
    expect((await ask('new')).status).toBe(429);
  });
});
