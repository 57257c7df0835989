import type { CallerLimit, LimitScope, LimitValues } from './limit.types.js';
import { LIMIT_NAMES, type LimitName, type LimitSettings, NO_LIMITS } from './limit-values.js';

/** As stored: amounts as decimal text. */
export interface LimitValueRow {
  readonly name: LimitName;
  readonly amount: string | null;
}

export function toLimitSettings(rows: readonly LimitValueRow[]): LimitSettings {
  return Object.fromEntries(rows.map(({ name, amount }) => [name, amount === null ? null : toAmount(name, amount)]));
}

function toAmount(name: LimitName, amount: string): number | bigint {
  return name.endsWith('Nanodollars') ? BigInt(amount) : Number(amount);
}

export function effectiveLimits(plan: LimitSettings, own: LimitSettings): LimitValues {
  return { ...NO_LIMITS, ...plan, ...own };
}

/** The user, key and project whose limits apply to a caller. */
interface CallerSubjects {
  readonly userId: string;
  readonly keyId: string | null;
  readonly projectId: string | null;
  /** The user whose balance counts the plan's limits: the caller's user, or the user that represents the project. */
  readonly planUserId: string;
}

/** The limits of a caller: the user's own (the plan's where there are none), the key's and the project's. */
export function toCallerLimits(
  rows: readonly (LimitValueRow & { readonly scope: LimitScope })[],
  { userId, keyId, projectId, planUserId }: CallerSubjects,
): CallerLimit[] {
  const settingsOf = (scope: LimitScope) => toLimitSettings(rows.filter((row) => row.scope === scope));
  const [plan, user] = [settingsOf('plan'), settingsOf('user')];
  const inherited = LIMIT_NAMES.filter((name) => !(name in user)).map((name) => [name, plan[name]]);
  return [
    toCallerLimit('plan', planUserId, Object.fromEntries(inherited)),
    toCallerLimit('user', userId, user),
    ...(keyId === null ? [] : [toCallerLimit('key', keyId, settingsOf('key'))]),
    ...(projectId === null ? [] : [toCallerLimit('project', projectId, settingsOf('project'))]),
  ].filter(({ values }) => Object.values(values).some((amount) => amount !== null));
}

function toCallerLimit(scope: LimitScope, id: string, settings: LimitSettings): CallerLimit {
  const given = Object.entries(settings).filter(([, amount]) => amount !== undefined);
  return { scope, id, values: { ...NO_LIMITS, ...Object.fromEntries(given) } };
}
