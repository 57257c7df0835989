import type { components } from '../api/schema';
import { formatCompact, formatNumber, formatUsd } from './numbers';

export type Limits = components['schemas']['LimitsView'];
export type LimitName = keyof Limits;

/** Values as they are typed; nothing typed is no limit. */
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
  budgetDayUsd: 'Budget a day',
  budgetMonthUsd: 'Budget a month',
  budgetTotalUsd: 'Total budget',
};

export function isBudget(name: LimitName): boolean {
  return name.endsWith('Usd');
}

/** "60 requests per minute", "$20.00 a month" */
export function limitText(name: LimitName, amount: number): string {
  switch (name) {
    case 'requestsPerMinute':
      return `${formatNumber(amount)} requests per minute`;
    case 'tokensPerMinute':
      return `${formatNumber(amount)} tokens per minute`;
    case 'concurrentCalls':
      return amount === 1 ? '1 concurrent request' : `${formatNumber(amount)} concurrent requests`;
    case 'budgetDayUsd':
      return `${formatUsd(amount)} a day`;
    case 'budgetMonthUsd':
      return `${formatUsd(amount)} a month`;
    case 'budgetTotalUsd':
      return `${formatUsd(amount)} in total`;
  }
}

/** What is limited, each value in words. */
export function limitTexts(limits: Limits): string[] {
  return LIMIT_NAMES.flatMap((name) => {
    const amount = limits[name];
    return amount === null ? [] : [limitText(name, amount)];
  });
}

const SHORT: readonly [LimitName, (amount: number) => string][] = [
  ['budgetMonthUsd', (amount) => `of ${formatUsd(amount)}`],
  ['budgetDayUsd', (amount) => `${formatUsd(amount)}/day`],
  ['budgetTotalUsd', (amount) => `${formatUsd(amount)} in total`],
  ['requestsPerMinute', (amount) => `${formatCompact(amount)}/min`],
  ['tokensPerMinute', (amount) => `${formatCompact(amount)} tok/min`],
  ['concurrentCalls', (amount) => `${formatCompact(amount)} at once`],
];

/** The same for a narrow column beside what was spent this month, the budgets first. */
export function shortLimitTexts(limits: Limits): string[] {
  return SHORT.flatMap(([name, format]) => {
    const amount = limits[name];
    return amount === null ? [] : [format(amount)];
  });
}

export function toLimitTexts(limits: Limits): LimitTexts {
  const texts = LIMIT_NAMES.map((name) => [name, toText(limits[name])]);
  return Object.fromEntries(texts);
}

/** As one types it; small dollars have an exponent otherwise. */
export function toText(amount: number | null): string {
  if (amount === null) return '';
  return amount > 0 && amount < 1e-6 ? amount.toFixed(9).replace(/0+$/, '') : String(amount);
}

/** What is asked for, of what has changed: dollars as text, so that they stay exact. */
export function toLimitWishes(texts: LimitTexts, before: LimitTexts = NO_LIMIT_TEXTS) {
  const changed = LIMIT_NAMES.filter((name) => texts[name].trim() !== before[name]);
  return Object.fromEntries(changed.map((name) => [name, texts[name].trim() || null]));
}

/** What is wrong with what was typed; null: nothing. */
export function limitFault(name: LimitName, text: string): string | null {
  const typed = text.trim();
  if (typed === '') return null;
  if (isBudget(name)) return /^\d{1,10}(\.\d{1,9})?$/.test(typed) ? null : 'Enter dollars, such as 20 or 0.50';
  return /^[1-9]\d{0,9}$/.test(typed) ? null : 'Enter a whole number of 1 or more';
}

/** The same for all of them, as a form's `validate` wants it. */
export const validateLimits = Object.fromEntries(
  LIMIT_NAMES.map((name) => [name, (text: string) => limitFault(name, text)]),
) as Record<LimitName, (text: string) => string | null>;
