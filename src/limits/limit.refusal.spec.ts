import { describe, expect, it } from '@jest/globals';
import { roundedRefusal } from './limit.refusal.js';
import { NO_LIMITS } from './values/limit-values.js';

const ID = '1b0d3c1e-0000-4000-8000-000000000001';

describe('roundedRefusal', () => {
  it.each([
    [{ requestsPerMinute: 5, tokensPerMinute: 100 }, 'requestsPerMinute'],
    [{ tokensPerMinute: 100 }, 'tokensPerMinute'],
    [{ concurrentCalls: 2 }, 'concurrentCalls'],
  ])('names one of the limits of the caller: %j', (limited, name) => {
    const values = { ...NO_LIMITS, ...limited };
    const request = { balances: [{ id: ID, kind: 'user' as const, values }], tokens: 10, money: null };
    const refusal = roundedRefusal([{ scope: 'plan', id: ID, values }], request);
    expect(refusal).toMatchObject({ scope: 'plan', name, seconds: 1, isSure: false });
  });
});
