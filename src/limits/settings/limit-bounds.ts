import { UsageError } from '../../common/usage.error.js';
import { toUsd } from '../../common/usd.js';
import type { LimitValues } from '../values/limit.types.js';
import { LIMIT_NAMES, type LimitChange, type LimitName, limitField, shownName } from '../values/limit-values.js';
import type { OwnLimits } from '../values/limit-values.types.js';

/** Throws a `UsageError` when a new value exceeds what an administrator set. */
export function checkWithinBounds({ values, bounds }: OwnLimits, change: LimitChange, what: 'key' | 'project'): void {
  for (const [name, wish] of changedLimits(values, change)) {
    const bound = bounds[name] ?? null;
    if (bound === null || (wish !== null && wish <= bound)) continue;
    throw beyond(name, `An administrator limited this ${what} to ${amountOf(name, bound)}: you can only narrow it.`);
  }
}

export type OwnerOfKey = 'self' | 'plan' | 'project';

const OWNERS: Readonly<Record<OwnerOfKey, readonly [string, string]>> = {
  self: ['Your own limit', 'your keys'],
  plan: ["The limit of the project's plan", "the project's keys"],
  project: ["The project's limit", 'its keys'],
};

/** Throws a `UsageError` when a new value of a key exceeds the limit of its owner. */
export function checkWithinOwner(
  values: OwnLimits['values'],
  change: LimitChange,
  owner: LimitValues,
  kind: OwnerOfKey,
): void {
  const [limit, keys] = OWNERS[kind];
  for (const [name, wish] of changedLimits(values, change)) {
    const most: LimitValues[LimitName] = owner[name];
    if (most === null || wish === null || wish <= most) continue;
    throw beyond(name, `${limit} is ${amountOf(name, most)}: ${keys} cannot have more.`);
  }
}

function changedLimits(values: OwnLimits['values'], change: LimitChange): [LimitName, number | bigint | null][] {
  return LIMIT_NAMES.flatMap((name): [LimitName, number | bigint | null][] => {
    const wish = change[name];
    return wish === undefined || wish === 'plan' || wish === (values[name] ?? null) ? [] : [[name, wish]];
  });
}

const WORDS: Readonly<Record<LimitName, string>> = {
  requestsPerMinute: 'requests per minute',
  tokensPerMinute: 'tokens per minute',
  concurrentCalls: 'concurrent calls',
  budgetDayNanodollars: 'dollars a day',
  budgetMonthNanodollars: 'dollars a month',
  budgetTotalNanodollars: 'dollars in total',
};

function amountOf(name: LimitName, amount: number | bigint): string {
  return `${typeof amount === 'bigint' ? toUsd(amount) : amount} ${WORDS[name]}`;
}

function beyond(name: LimitName, message: string): UsageError {
  return new UsageError(message, limitField(shownName(name)));
}
