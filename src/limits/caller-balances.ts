import type { BalanceKind, LimitedBalance } from '../ledger/rows/admission.types.js';
import type { CallerLimit, LimitScope, LimitValues } from './values/limit.types.js';
import { LIMIT_NAMES, type LimitName, NO_LIMITS } from './values/limit-values.js';

/** A user's own limits and those of the plan share one balance, so that each call counts once. */
const KIND_OF: Readonly<Record<LimitScope, BalanceKind>> = {
  plan: 'user',
  user: 'user',
  key: 'key',
  project: 'project',
};

const known = new WeakMap<readonly CallerLimit[], readonly LimitedBalance[]>();

/** The balances that a caller's calls count in, with the narrowest limits of each; cached for each caller. */
export function balancesOf(limits: readonly CallerLimit[]): readonly LimitedBalance[] {
  let balances = known.get(limits);
  if (!balances) {
    balances = toBalances(limits);
    known.set(limits, balances);
  }
  return balances;
}

export function scopeOf(
  limits: readonly CallerLimit[],
  { id, kind, values }: LimitedBalance,
  name: LimitName,
): LimitScope {
  const ofBalance = limits.filter((limit) => limit.id === id && KIND_OF[limit.scope] === kind);
  return ofBalance.find((limit) => limit.values[name] === values[name])?.scope ?? kind;
}

function toBalances(limits: readonly CallerLimit[]): LimitedBalance[] {
  const balances = new Map<string, LimitedBalance>();
  for (const { scope, id, values } of limits) {
    const kind = KIND_OF[scope];
    const other = balances.get(id);
    balances.set(id, { id, kind, values: other ? narrower(other.values, values) : values });
  }
  return [...balances.values()].filter(({ values }) => LIMIT_NAMES.some((name) => values[name] !== null));
}

function narrower(one: LimitValues, other: LimitValues): LimitValues {
  const least = LIMIT_NAMES.map((name) => {
    const [a, b] = [one[name], other[name]];
    return [name, a === null || (b !== null && b < a) ? b : a];
  });
  return { ...NO_LIMITS, ...Object.fromEntries(least) };
}
