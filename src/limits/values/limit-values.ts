import { toNanodollars, toUsd } from '../../common/text.js';
import { UsageError } from '../../common/usage.error.js';

/** The limits of a caller; null: unlimited. Money in nano-dollars. */
export interface LimitValues {
  /** A bucket of this size, refilled continuously. */
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  readonly concurrentCalls: number | null;
  /** Days and months in UTC. */
  readonly budgetDayNanodollars: bigint | null;
  readonly budgetMonthNanodollars: bigint | null;
  readonly budgetTotalNanodollars: bigint | null;
}

/** Whose limit it is, as named in errors. */
export type LimitScope = 'plan' | 'user' | 'key' | 'project';

/** One set of limits of a caller; a call must pass all of them. */
export interface CallerLimit {
  readonly scope: LimitScope;
  /** Calls with the same id count together: the user's id for `plan` and `user`, else the key's or the project's. */
  readonly id: string;
  readonly values: LimitValues;
}

export interface OwnLimits {
  readonly values: LimitSettings;
  /** Set by an administrator: the most that a key's owner or a project's manager may set. */
  readonly bounds: LimitSettings;
}

export interface LimitWrite {
  readonly scope: LimitScope;
  /** The id of a plan, user, key or project. */
  readonly subject: string;
  /** Whether the values also become bounds for the key's owner or the project's managers; otherwise bounds stay. */
  readonly binds?: boolean;
}

export interface LimitDifference {
  readonly before: Partial<ShownLimits<number | null | 'plan'>>;
  readonly after: Partial<ShownLimits<number | null | 'plan'>>;
}

export interface UserLimits {
  readonly own: LimitSettings;
  readonly plan: LimitSettings;
  readonly values: LimitValues;
}

export type LimitName = keyof LimitValues;

/** The limits set for one plan, user, key or project: null is "no limit", undefined is "not set". */
export type LimitSettings = Partial<LimitValues>;

/** `plan`: removes the own value. Undefined: no change. */
export type LimitChange = { readonly [Name in LimitName]?: LimitValues[Name] | 'plan' };

/**
 * Every limit: its name in APIs and on the command line, where budgets are in dollars; a budget's period; its unit in words;
 * its name in metrics.
 */
export const LIMITS = {
  requestsPerMinute: {
    shown: 'requestsPerMinute',
    period: null,
    words: 'requests per minute',
    metric: 'requests_per_minute',
  },
  tokensPerMinute: { shown: 'tokensPerMinute', period: null, words: 'tokens per minute', metric: 'tokens_per_minute' },
  concurrentCalls: { shown: 'concurrentCalls', period: null, words: 'concurrent calls', metric: 'concurrent_calls' },
  budgetDayNanodollars: { shown: 'budgetDayUsd', period: 'day', words: 'dollars a day', metric: 'budget_day' },
  budgetMonthNanodollars: {
    shown: 'budgetMonthUsd',
    period: 'month',
    words: 'dollars a month',
    metric: 'budget_month',
  },
  budgetTotalNanodollars: {
    shown: 'budgetTotalUsd',
    period: 'total',
    words: 'dollars in total',
    metric: 'budget_total',
  },
} as const satisfies Record<LimitName, Limit>;

interface Limit {
  readonly shown: string;
  /** Null: the limit is no budget. */
  readonly period: 'day' | 'month' | 'total' | null;
  readonly words: string;
  readonly metric: string;
}

type ShownName = (typeof LIMITS)[LimitName]['shown'];

export type ShownLimits<Value = number | null> = Record<ShownName, Value>;

/** Input: a number, dollars as text, null or `none` for no limit, or `plan`. */
export type LimitInputs = Partial<ShownLimits<number | string | null | undefined>>;

/** The limits that are no budgets. */
export type RateName = { [Name in LimitName]: (typeof LIMITS)[Name]['period'] extends null ? Name : never }[LimitName];

export const LIMIT_NAMES = Object.keys(LIMITS) as LimitName[];

export const RATE_NAMES = LIMIT_NAMES.filter((name): name is RateName => LIMITS[name].period === null);

export const NO_LIMITS = Object.fromEntries(LIMIT_NAMES.map((name) => [name, null])) as unknown as LimitValues;

/** The budget of a period. */
export const BUDGETS = {
  day: 'budgetDayNanodollars',
  month: 'budgetMonthNanodollars',
  total: 'budgetTotalNanodollars',
} as const satisfies Record<NonNullable<Limit['period']>, LimitName>;
export const BUDGET_NAMES = Object.values(BUDGETS);

const MAX = 1_000_000_000;
const MAX_NANODOLLARS = BigInt(MAX) * 1_000_000_000n;

export function limitField(name: ShownName): string {
  return `limits.${name}`;
}

export function shownName(name: LimitName): ShownName {
  return LIMITS[name].shown;
}

/** Whole numbers, or dollars. */
export function toShownLimit(amount: number | bigint): number {
  return typeof amount === 'bigint' ? Number(toUsd(amount)) : amount;
}

/** `missing` replaces values that are not set. */
export function toShownLimits(settings: LimitSettings): ShownLimits;
export function toShownLimits<Missing>(settings: LimitSettings, missing: Missing): ShownLimits<number | null | Missing>;
export function toShownLimits<Missing>(settings: LimitSettings, missing: Missing | null = null) {
  const entries = LIMIT_NAMES.map((name) => {
    const amount = settings[name];
    if (amount === undefined) return [LIMITS[name].shown, missing];
    return [LIMITS[name].shown, amount === null ? null : toShownLimit(amount)];
  });
  return Object.fromEntries(entries);
}

interface InputRules {
  readonly allowsPlan?: boolean;
  readonly fieldOf?: (name: ShownName) => string;
}

/** Throws a `UsageError` that names the invalid value. */
export function toLimitChange(
  inputs: LimitInputs,
  { allowsPlan = false, fieldOf = limitField }: InputRules = {},
): LimitChange {
  const given = LIMIT_NAMES.filter((name) => inputs[LIMITS[name].shown] !== undefined);
  const entries = given.map((name) => {
    const { shown, period } = LIMITS[name];
    const input = inputs[shown] ?? null;
    if (input === null || input === 'none') return [name, null];
    if (input === 'plan' && allowsPlan) return [name, 'plan'];
    const amount = period === null ? toCount(input) : toBudget(input);
    if (amount !== null) return [name, amount];
    const others = allowsPlan ? "'none' or 'plan'" : "or 'none'";
    throw new UsageError(`${fieldOf(shown)} must be ${formOf(name)}, ${others}.`, fieldOf(shown));
  });
  return Object.fromEntries(entries);
}

function toCount(input: number | string): number | null {
  const count = typeof input === 'string' && /^\d+$/.test(input) ? Number(input) : input;
  return typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= MAX ? count : null;
}

function toBudget(input: number | string): bigint | null {
  const amount = toNanodollars(typeof input === 'number' ? toDecimal(input) : input);
  return amount !== null && amount <= MAX_NANODOLLARS ? amount : null;
}

/** Avoids exponents for small numbers. */
function toDecimal(value: number): string {
  const decimal = value.toFixed(9);
  return String(value).includes('e') && Number(decimal) === value ? decimal : String(value);
}

function formOf(name: LimitName): string {
  return LIMITS[name].period !== null
    ? `US dollars from 0 to ${MAX}, with at most nine decimal places`
    : `a whole number from 1 to ${MAX}`;
}

export interface UtcPeriod {
  readonly from: Date;
  readonly to: Date;
}

/** The day or month of an instant in UTC, which budgets use. */
export function utcPeriodOf(unit: 'day' | 'month', at: Date): UtcPeriod {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const [from, to] =
    unit === 'day'
      ? [Date.UTC(year, month, day), Date.UTC(year, month, day + 1)]
      : [Date.UTC(year, month), Date.UTC(year, month + 1)];
  return { from: new Date(from), to: new Date(to) };
}
