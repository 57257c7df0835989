import { describe, expect, it } from '@jest/globals';
import { toOwnLimitInput, toOwnLimitTexts } from './own-limits';

const OWN = {
  requestsPerMinute: 60,
  tokensPerMinute: null,
  concurrentCalls: 'plan',
  budgetDayUsd: 'plan',
  budgetMonthUsd: 'plan',
  budgetTotalUsd: 5,
} as const;

describe("a user's own limits", () => {
  it('are shown as typed: the plan’s as empty fields, no limit by its name', () => {
    expect(toOwnLimitTexts(OWN)).toEqual({
      requestsPerMinute: '60',
      tokensPerMinute: 'none',
      concurrentCalls: '',
      budgetDayUsd: '',
      budgetMonthUsd: '',
      budgetTotalUsd: '5',
    });
  });

  it('are sent if they have changed', () => {
    const texts = toOwnLimitTexts(OWN);
    expect(toOwnLimitInput(texts, OWN)).toEqual({});
    const changed = { ...texts, requestsPerMinute: '', concurrentCalls: 'none', budgetDayUsd: ' 0.50' };
    expect(toOwnLimitInput(changed, OWN)).toEqual({
      requestsPerMinute: 'plan',
      concurrentCalls: null,
      budgetDayUsd: '0.50',
    });
  });

  it('cannot take a total budget from the plan, because plans have none', () => {
    expect(toOwnLimitTexts({ ...OWN, budgetTotalUsd: 'plan' }).budgetTotalUsd).toBe('');
    expect(toOwnLimitInput({ ...toOwnLimitTexts(OWN), budgetTotalUsd: '' }, OWN)).toEqual({ budgetTotalUsd: null });
  });
});
