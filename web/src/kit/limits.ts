import { ApiError } from '../api/api-error';
import type { Budget, UserLimits } from '../api/lists';
import type { components } from '../api/schema';
import { formatNumber, formatUsd, formatUsdTogether, fromLocal, plural, toLocal } from './numbers';

export type Limits = components['schemas']['LimitsView'];
export type LimitName = keyof Limits;

/** The typed value for no limit, even if a value would be inherited. */
export const NO_LIMIT = 'none';

/** Values as typed; empty means the inherited value, or no limit. */
export type LimitTexts = Record<LimitName, string>;

/** Every limit, in the order in which they are shown, with its label and its amount in words. */
const LIMITS: Readonly<Record<LimitName, { label: string; text: (amount: number) => string }>> = {
  requestsPerMinute: {
    label: 'Requests per minute',
    text: (amount) => plural(amount, 'request per minute', 'requests per minute'),
  },
  tokensPerMinute: {
    label: 'Tokens per minute',
    text: (amount) => plural(amount, 'token per minute', 'tokens per minute'),
  },
  concurrentCalls: {
    label: 'Concurrent requests',
    text: (amount) => plural(amount, 'concurrent request'),
  },
  budgetDayUsd: { label: 'Budget per day', text: (amount) => `${formatUsd(amount)} per day` },
  budgetMonthUsd: { label: 'Budget per month', text: (amount) => `${formatUsd(amount)} per month` },
  budgetTotalUsd: { label: 'Total budget', text: (amount) => `${formatUsd(amount)} in total` },
};

export const LIMIT_NAMES = Object.keys(LIMITS) as readonly LimitName[];

const byName = <Value>(of: (name: LimitName) => Value) =>
  Object.fromEntries(LIMIT_NAMES.map((name) => [name, of(name)])) as Record<LimitName, Value>;

export const NO_LIMIT_TEXTS: LimitTexts = byName(() => '');

export const LIMIT_LABELS: Readonly<Record<LimitName, string>> = byName((name) => LIMITS[name].label);

/** By a budget's period. */
export const BUDGET_LABELS = {
  day: LIMIT_LABELS.budgetDayUsd,
  month: LIMIT_LABELS.budgetMonthUsd,
  total: LIMIT_LABELS.budgetTotalUsd,
} as const;

export const BUDGET_NAMES = ['budgetMonthUsd', 'budgetDayUsd', 'budgetTotalUsd'] as const;

export function isBudget(name: LimitName): boolean {
  return name.endsWith('Usd');
}

/** "60 requests per minute", "$20.00 per month" */
export function limitText(name: LimitName, amount: number): string {
  return LIMITS[name].text(amount);
}

/** All limits, in words. */
export function limitTexts(limits: Limits): string[] {
  return LIMIT_NAMES.flatMap((name) => {
    const amount = limits[name];
    return amount === null ? [] : [limitText(name, amount)];
  });
}

export function toLimitTexts(limits: Limits): LimitTexts {
  return byName((name) => toText(limits[name]));
}

/** As people type it; small amounts would otherwise have an exponent. */
export function toText(amount: number | null): string {
  if (amount === null) return '';
  return toLocal(amount > 0 && amount < 1e-6 ? amount.toFixed(9).replace(/0+$/, '') : String(amount));
}

/** The changed values to send; dollars as text, so that they stay exact. */
export function toLimitInput(texts: LimitTexts, before: LimitTexts = NO_LIMIT_TEXTS) {
  const changed = LIMIT_NAMES.filter((name) => texts[name].trim() !== before[name]);
  return Object.fromEntries(changed.map((name) => [name, fromLocal(texts[name].trim()) || null]));
}

/** A user's own values as typed; empty is the plan's value. A plan has no total budget: there empty is no limit. */
export function toOwnLimitTexts(own: UserLimits['own']): LimitTexts {
  return byName((name) => {
    const value = own[name];
    if (typeof value === 'number') return toText(value);
    return value === 'plan' || name === 'budgetTotalUsd' ? '' : NO_LIMIT;
  });
}

/** The changed values to send. */
export function toOwnLimitInput(texts: LimitTexts, own: UserLimits['own']) {
  const before = toOwnLimitTexts(own);
  const changed = LIMIT_NAMES.filter((name) => texts[name].trim() !== before[name]);
  return Object.fromEntries(changed.map((name) => [name, ownInput(name, texts[name].trim())]));
}

function ownInput(name: LimitName, text: string): string | null {
  if (text === NO_LIMIT) return null;
  if (text === '') return name === 'budgetTotalUsd' ? null : 'plan';
  return fromLocal(text);
}

/** What applies to a user while a field is empty: a plan has no total budget. */
export function inheritedText(name: LimitName, { plan }: UserLimits): string | null {
  if (name === 'budgetTotalUsd') return null;
  const amount = plan[name];
  return amount === null ? 'Plan: no limit' : `Plan: ${isBudget(name) ? toText(amount) : formatNumber(amount)}`;
}

/** The error in a typed value; null if it is valid. */
export function limitFault(name: LimitName, text: string): string | null {
  const typed = fromLocal(text.trim());
  if (typed === '' || typed === NO_LIMIT) return null;
  if (isBudget(name))
    return /^\d{1,10}(\.\d{1,9})?$/.test(typed) ? null : `Enter dollars, such as 20 or ${toLocal('0.50')}`;
  return /^[1-9]\d{0,9}$/.test(typed) ? null : 'Enter a whole number of 1 or more';
}

/** The limit that an error of the gateway is about. */
export function limitOfError(error: unknown): LimitName | undefined {
  const param = error instanceof ApiError ? error.param : null;
  return LIMIT_NAMES.find((name) => name === param?.replace('limits.', ''));
}

/** Errors of all values, for a form's `validate`. */
export const validateLimits = Object.fromEntries(
  LIMIT_NAMES.map((name) => [name, (text: string) => limitFault(name, text)]),
) as Record<LimitName, (text: string) => string | null>;

/** "The rest does not cover another call: one that reserves $0.0600 was refused."; null if it may. */
export function uncoveredText({
  amountUsd,
  spentUsd,
  uncoveredUsd,
}: Pick<Budget, 'amountUsd' | 'spentUsd' | 'uncoveredUsd'>) {
  if (uncoveredUsd === null || spentUsd >= amountUsd) return null;
  const [reserved] = formatUsdTogether([uncoveredUsd, amountUsd]);
  return `The rest does not cover another call: one that reserves ${reserved} was refused.`;
}

type Spent = Pick<Budget, 'amountUsd' | 'spentUsd' | 'calculating'>;

/** "$4.25 of $5.00 · $0.75 left", "$5.0012 of $5.0000 · exceeded by $0.0012", "Calculating…" */
export function budgetText({ amountUsd, spentUsd, calculating }: Spent): string {
  if (calculating) return 'Calculating…';
  const left = amountUsd - spentUsd;
  const [spent, amount, rest] = formatUsdTogether([spentUsd, amountUsd, Math.abs(left)]);
  return `${spent} of ${amount} · ${left < 0 ? `exceeded by ${rest}` : `${rest} left`}`;
}
