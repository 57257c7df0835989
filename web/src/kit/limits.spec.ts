import { describe, expect, it } from '@jest/globals';
import {
  budgetText,
  limitFault,
  limitTexts,
  NO_LIMIT_TEXTS,
  toLimitInput,
  toLimitTexts,
  toOwnLimitInput,
  toOwnLimitTexts,
  uncoveredText,
} from './limits';

const NONE = {
  requestsPerMinute: null,
  tokensPerMinute: null,
  concurrentCalls: null,
  budgetDayUsd: null,
  budgetMonthUsd: null,
  budgetTotalUsd: null,
};

describe('limits in a form', () => {
  it('are shown as typed, and empty means none', () => {
    expect(toLimitTexts({ ...NONE, requestsPerMinute: 60, budgetDayUsd: 0.5, budgetTotalUsd: 1e-9 })).toEqual({
      ...NO_LIMIT_TEXTS,
      requestsPerMinute: '60',
      budgetDayUsd: '0.5',
      budgetTotalUsd: '0.000000001',
    });
  });

  it('are sent if they have changed', () => {
    const before = { ...NO_LIMIT_TEXTS, requestsPerMinute: '60', budgetDayUsd: '5' };
    expect(toLimitInput(before, before)).toEqual({});
    expect(toLimitInput({ ...before, requestsPerMinute: '', budgetMonthUsd: ' 20.50 ' }, before)).toEqual({
      requestsPerMinute: null,
      budgetMonthUsd: '20.50',
    });
  });

  it('are whole numbers, or dollars', () => {
    expect(['', '1', ' 60 '].map((text) => limitFault('requestsPerMinute', text))).toEqual([null, null, null]);
    for (const text of ['0', '-1', '1.5', 'ten', '1e3']) expect(limitFault('concurrentCalls', text)).not.toBeNull();
    expect(['', '0', '0.5', '20.000000001'].map((text) => limitFault('budgetDayUsd', text))).toEqual([
      ...[null, null, null, null],
    ]);
    for (const text of ['$5', '1,5', '-1', '0.0000000001']) expect(limitFault('budgetDayUsd', text)).not.toBeNull();
  });
});

it('limits in words', () => {
  expect(limitTexts(NONE)).toEqual([]);
  expect(limitTexts({ ...NONE, requestsPerMinute: 1200, concurrentCalls: 1, budgetMonthUsd: 20 })).toEqual([
    '1,200 requests per minute',
    '1 concurrent request',
    '$20.00 per month',
  ]);
});

it.each([
  [{ amountUsd: 5, spentUsd: 4.25 }, '$4.25 of $5.00 · $0.75 left'],
  [{ amountUsd: 5, spentUsd: 5 }, '$5.00 of $5.00 · $0.00 left'],
  [{ amountUsd: 5, spentUsd: 7.5 }, '$7.50 of $5.00 · exceeded by $2.50'],
  [{ amountUsd: 20, spentUsd: 20.0012 }, '$20.00 of $20.00 · exceeded by <$0.01'],
  [{ amountUsd: 25, spentUsd: 0.4882 }, '$0.49 of $25.00 · $24.51 left'],
  [{ amountUsd: 5, spentUsd: 5.0012 }, '$5.0012 of $5.0000 · exceeded by $0.0012'],
  [{ amountUsd: 0.05, spentUsd: 0.047111 }, '$0.0471 of $0.0500 · $0.0029 left'],
  [{ amountUsd: 0, spentUsd: 0 }, '$0.00 of $0.00 · $0.00 left'],
])('the text of the budget %j reads: %s', (budget, text) => {
  expect(budgetText({ ...budget, calculating: false })).toBe(text);
});

it('reports that the earlier spending is being summed up', () => {
  expect(budgetText({ amountUsd: 5, spentUsd: 1, calculating: true })).toBe('Calculating…');
});

it.each([
  [
    { amountUsd: 5, spentUsd: 4.25, uncoveredUsd: 0.8 },
    'The rest does not cover another call: one that reserves $0.80 was refused.',
  ],
  [
    { amountUsd: 0.05, spentUsd: 0.047, uncoveredUsd: 0.00413 },
    'The rest does not cover another call: one that reserves $0.0041 was refused.',
  ],
  [{ amountUsd: 5, spentUsd: 4.25, uncoveredUsd: null }, null],
  [{ amountUsd: 5, spentUsd: 5, uncoveredUsd: 0.8 }, null],
])('the text of the refusals of the budget %j reads: %s', (budget, text) => {
  expect(uncoveredText(budget)).toBe(text);
});

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
