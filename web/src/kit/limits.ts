import type { components } from '../api/schema';
import { formatNumber, formatUsd } from './numbers';

export type Limits = components['schemas']['LimitsView'];
export type LimitName = keyof Limits;

/** The typed value for no limit, even if a value would be inherited. */
export const NO_LIMIT = 'none';

/** Values as typed; empty means the inherited value, or no limit. */
export type LimitTexts = Record<LimitName, string>;

export const LIMIT_NAMES: readonly LimitName[] = [
  'requestsPerMinute',
  'tokensPerMinute',
  'concurrentCalls',
  'budgetDayUsd',
  'budgetMonthUsd',
  'budgetTotalUsd',
];

export const NO_LIMIT_TEXTS: LimitTexts = {
  requestsPerMinute: '',
  tokensPerMinute: '',
  concurrentCalls: '',
  budgetDayUsd: '',
  budgetMonthUsd: '',
  budgetTotalUsd: '',
};

export const LIMIT_LABELS: Readonly<Record<LimitName, string>> = {
  requestsPerMinute: 'Requests per minute',
  tokensPerMinute: 'Tokens per minute',
  concurrentCalls: 'Concurrent requests',
  budgetDayUsd: 'Budget per day',
  budgetMonthUsd: 'Budget per month',
  budgetTotalUsd: 'Total budget',
};

/** By a budget's period. */
export const BUDGET_LABELS = {
  day: LIMIT_LABELS.budgetDayUsd,
  month: LIMIT_LABELS.budgetMonthUsd,
  total: LIMIT_LABELS.budgetTotalUsd,
} as const;

export function isBudget(name: LimitName): boolean {
  return name.endsWith('Usd');
}

/** "60 requests per minute", "$20.00 per month" */
export function limitText(name: LimitName, amount: number): string {
  switch (name) {
    case 'requestsPerMinute':
      return `${formatNumber(amount)} requests per minute`;
    case 'tokensPerMinute':
      return `${formatNumber(amount)} tokens per minute`;
    case 'concurrentCalls':
      return amount === 1 ? '1 concurrent request' : `${formatNumber(amount)} concurrent requests`;
    case 'budgetDayUsd':
      return `${formatUsd(amount)} per day`;
    case 'budgetMonthUsd':
      return `${formatUsd(amount)} per month`;
    case 'budgetTotalUsd':
      return `${formatUsd(amount)} in total`;
  }
}

/** All limits, in words. */
export function limitTexts(limits: Limits): string[] {
  return LIMIT_NAMES.flatMap((name) => {
    const amount = limits[name];
    return amount === null ? [] : [limitText(name, amount)];
  });
}

export function toLimitTexts(limits: Limits): LimitTexts {
  const texts = LIMIT_NAMES.map((name) => [name, toText(limits[name])]);
  return Object.fromEntries(texts);
}

/** As people type it; small amounts would otherwise have an exponent. */
export function toText(amount: number | null): string {
  if (amount === null) return '';
  return amount > 0 && amount < 1e-6 ? amount.toFixed(9).replace(/0+$/, '') : String(amount);
}

/** The changed values to send; dollars as text, so that they stay exact. */
export function toLimitInput(texts: LimitTexts, before: LimitTexts = NO_LIMIT_TEXTS) {
  const changed = LIMIT_NAMES.filter((name) => texts[name].trim() !== before[name]);
  return Object.fromEntries(changed.map((name) => [name, texts[name].trim() || null]));
}

/** The error in a typed value; null if it is valid. */
export function limitFault(name: LimitName, text: string): string | null {
  const typed = text.trim();
  if (typed === '' || typed === NO_LIMIT) return null;
  if (isBudget(name)) return /^\d{1,10}(\.\d{1,9})?$/.test(typed) ? null : 'Enter dollars, such as 20 or 0.50';
  return /^[1-9]\d{0,9}$/.test(typed) ? null : 'Enter a whole number of 1 or more';
}

/** Errors of all values, for a form's `validate`. */
export const validateLimits = Object.fromEntries(
  LIMIT_NAMES.map((name) => [name, (text: string) => limitFault(name, text)]),
) as Record<LimitName, (text: string) => string | null>;
