import { describe, expect, it } from '@jest/globals';
import { modesOf, toOwnLimit, toOwnLimitInput, validateOwnLimits } from './own-limits';

const OWN = {
  requestsPerMinute: 60,
  tokensPerMinute: null,
  concurrentCalls: 'plan',
  budgetDayUsd: 'plan',
  budgetMonthUsd: 'plan',
  budgetTotalUsd: 'plan',
} as const;

describe("a user's own limits", () => {
  it('are sent if they have changed', () => {
    const form = toOwnLimit(OWN);
    expect(form).toMatchObject({
      requestsPerMinute: { mode: 'own', text: '60' },
      tokensPerMinute: { mode: 'none' },
      budgetDayUsd: { mode: 'plan' },
    });
    expect(toOwnLimitInput(form, OWN)).toEqual({});
    const changed = {
      ...form,
      requestsPerMinute: { mode: 'plan', text: '60' } as const,
      concurrentCalls: { mode: 'none', text: '' } as const,
      budgetDayUsd: { mode: 'own', text: ' 0.50' } as const,
    };
    expect(toOwnLimitInput(changed, OWN)).toEqual({
      requestsPerMinute: 'plan',
      concurrentCalls: null,
      budgetDayUsd: '0.50',
    });
  });

  it('cannot take a total budget from the plan, because plans have none', () => {
    expect(modesOf('budgetTotalUsd').map(({ value }) => value)).toEqual(['none', 'own']);
    expect(modesOf('budgetMonthUsd').map(({ value }) => value)).toContain('plan');
    expect(toOwnLimit(OWN).budgetTotalUsd).toEqual({ mode: 'none', text: '' });
  });

  it('must have a value if it is an own one', () => {
    const form = { ...toOwnLimit(OWN), budgetDayUsd: { mode: 'own', text: ' ' } as const };
    expect(validateOwnLimits(form)).toEqual({ 'budgetDayUsd.text': 'Enter a value' });
    expect(validateOwnLimits({ ...form, budgetDayUsd: { mode: 'plan', text: 'x' } })).toEqual({});
  });
});
