import { describe, expect, it } from '@jest/globals';
import { type BudgetStanding, shareOf, stateOf } from './budget-words';

const budget: BudgetStanding = {
  scope: 'user',
  id: '1',
  name: 'ada@example.com',
  detail: 'Ada',
  projectId: null,
  period: 'month',
  amountUsd: 50,
  spentUsd: 10,
  reservedUsd: 0,
  uncoveredUsd: null,
  resetsAt: '2026-12-01T00:00:00Z',
  forecastUsd: 30,
  runsOutAt: null,
  historyDays: 7,
};

describe('a budget', () => {
  it.each([
    [{ spentUsd: 50 }, 'spent'],
    [{ spentUsd: 50, uncoveredUsd: 1 }, 'spent'],
    [{ spentUsd: 45, uncoveredUsd: 6 }, 'short'],
    [{ spentUsd: 40 }, 'near'],
    [{ runsOutAt: '2026-11-28T00:00:00Z' }, 'ahead'],
    [{}, 'fine'],
  ] as const)('a budget with %j is %s', (change, state) => {
    expect(stateOf({ ...budget, ...change })).toBe(state);
  });

  it('a budget of $0 is used up', () => {
    expect(shareOf({ ...budget, amountUsd: 0, spentUsd: 0 })).toBe(1);
  });
});
