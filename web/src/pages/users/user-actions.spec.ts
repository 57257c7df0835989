import { describe, expect, it } from '@jest/globals';
import { toOwnLimitInput, toOwnLimitTexts, type UserView, userActions } from './user-actions';

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

function kinds(of: Partial<UserView>): string[] {
  const user = { kind: 'person', role: 'member', source: 'local', status: 'active', ...of } as UserView;
  return userActions(user).map(({ kind }) => kind);
}

describe('the actions for a user', () => {
  it('are all available for a person with a password', () => {
    expect(kinds({})).toEqual(['rename', 'plan', 'limits', 'role', 'link', 'disable', 'forget']);
  });

  it('include no password link for a user without a password, or without a sign-in', () => {
    expect(kinds({ source: 'oidc' })).not.toContain('link');
    expect(kinds({ status: 'disabled' })).toEqual(['rename', 'plan', 'limits', 'role', 'enable', 'forget']);
  });

  it('are none for a forgotten user', () => {
    expect(kinds({ status: 'forgotten' })).toEqual([]);
  });

  it('include neither a role nor a link for a service account', () => {
    expect(kinds({ kind: 'service', source: 'service' })).toEqual(['rename', 'plan', 'limits', 'disable', 'forget']);
  });
});
