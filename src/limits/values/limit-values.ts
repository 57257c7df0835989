import { UsageError } from '../../common/usage.error.js';
import { toNanodollars, toUsd } from '../../common/usd.js';
import type { LimitValues } from './limit.types.js';

export type LimitName = keyof LimitValues;

/** The limits set for one plan, user, key or project: null is "no limit", undefined is "not set". */
export type LimitSettings = Partial<LimitValues>;

/** `plan`: removes the own value. Undefined: no change. */
export type LimitChange = { readonly [Name in LimitName]?: LimitValues[Name] | 'plan' };

/** The names in APIs and on the command line, where budgets are in dollars. */
const SHOWN = {
  requestsPerMinute: 'requestsPerMinute',
  tokensPerMinute: 'tokensPerMinute',
  concurrentCalls: 'concurrentCalls',
  budgetDayNanodollars: 'budgetDayUsd',
  budgetMonthNanodollars: 'budgetMonthUsd',
  budgetTotalNanodollars: 'budgetTotalUsd',
} as const satisfies Record<LimitName, string>;

type ShownName = (typeof SHOWN)[LimitName];

export type ShownLimits<Value = number | null> = Record<ShownName, Value>;

/** Input: a number, dollars as text, null or `none` for no limit, or `plan`. */
export type LimitInputs = Partial<ShownLimits<number | string | null | undefined>>;

export const RATE_NAMES = ['requestsPerMinute', 'tokensPerMinute', 'concurrentCalls'] as const;
export type RateName = (typeof RATE_NAMES)[number];

export const LIMIT_NAMES = Object.keys(SHOWN) as LimitName[];

export const NO_LIMITS: LimitValues = {
  requestsPerMinute: null,
  tokensPerMinute: null,
  concurrentCalls: null,
  budgetDayNanodollars: null,
  budgetMonthNanodollars: null,
  budgetTotalNanodollars: null,
};

const MAX = 1_000_000_000;
const MAX_NANODOLLARS = BigInt(MAX) * 1_000_000_000n;

export function limitField(name: ShownName): string {
  return `limits.${name}`;
}

export function shownName(name: LimitName): ShownName {
  return SHOWN[name];
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
    if (amount === undefined) return [SHOWN[name], missing];
    return [SHOWN[name], amount === null ? null : toShownLimit(amount)];
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
  const given = LIMIT_NAMES.filter((name) => inputs[SHOWN[name]] !== undefined);
  const entries = given.map((name) => {
    const shown = SHOWN[name];
    const input = inputs[shown] ?? null;
    if (input === null || input === 'none') return [name, null];
    if (input === 'plan' && allowsPlan) return [name, 'plan'];
    const amount = name.endsWith('Nanodollars') ? toBudget(input) : toCount(input);
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
  return name.endsWith('Nanodollars')
    ? `US dollars from 0 to ${MAX}, with at most nine decimal places`
    : `a whole number from 1 to ${MAX}`;
}
