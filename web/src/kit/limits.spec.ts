import { describe, expect, it } from '@jest/globals';
import { limitFault, limitTexts, NO_LIMIT_TEXTS, toLimitInput, toLimitTexts } from './limits';

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
