import { LRUCache } from 'lru-cache';
import type { AdmissionRequest, BalanceKind, LimitedBalance, LimitVerdict } from '../ledger/call-record.types.js';
import {
  type CallerLimit,
  LIMIT_NAMES,
  LIMITS,
  type LimitName,
  type LimitScope,
  type LimitValues,
  NO_LIMITS,
} from './values/limit-values.js';
import { costOfTokens } from './worst-case.js';

export interface LimitRefusal {
  readonly scope: LimitScope;
  readonly name: LimitName;
  readonly balance: LimitedBalance;
  /** The tokens or nano-dollars that the call needed at least; a call that needs less may be admitted. */
  readonly required: number;
  /** Time until such a call may be admitted; null: unknown or never. */
  readonly seconds: number | null;
  /** Calls that end cannot change the decision before then. */
  readonly isSure: boolean;
  /** Of a budget: nano-dollars neither spent nor reserved; below zero after calls that cost more than they reserved. */
  readonly left?: number | null;
}

/** A budget never lowers the ceiling of an answer below this. */
const MIN_ANSWER_TOKENS = 256;

/** With fewer nano-dollars in the balance, the call is refused. */
function leastCost({ money }: AdmissionRequest): number {
  if (!money || money.full === 0n) return 0;
  const least = costOfTokens(money.promptPrice, money.tokenPrice, Math.min(money.ceiling, MIN_ANSWER_TOKENS));
  return Number(least);
}

/** The refusal of a call that can never pass: its prompt exceeds a whole bucket, or a rate is zero. Else null. */
export function neverPasses(limits: readonly CallerLimit[], request: AdmissionRequest): LimitRefusal | null {
  for (const balance of request.balances) {
    const { requestsPerMinute, tokensPerMinute, concurrentCalls } = balance.values;
    const refusal = (name: LimitName, required: number): LimitRefusal => {
      return { name, scope: scopeOf(limits, balance, name), balance, required, seconds: null, isSure: true };
    };
    if (requestsPerMinute === 0) return refusal('requestsPerMinute', 1);
    if (concurrentCalls === 0) return refusal('concurrentCalls', 1);
    if (tokensPerMinute !== null && request.tokens > tokensPerMinute) return refusal('tokensPerMinute', request.tokens);
  }
  return null;
}

/** The refusal that the database decided on. */
export function toRefusal(
  limits: readonly CallerLimit[],
  { balances }: AdmissionRequest,
  verdict: LimitVerdict,
): LimitRefusal {
  const { needed: required, seconds, remaining: left, lasting: isSure } = verdict;
  const name = LIMIT_NAMES.find((one) => LIMITS[one].metric === verdict.name);
  const balance = balances.find(({ id }) => id === verdict.balance);
  if (!name || !balance) throw new Error(`The database named an unknown limit: ${verdict.name} of ${verdict.balance}.`);
  return { name, scope: scopeOf(limits, balance, name), balance, required, seconds, isSure, left };
}

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

function scopeOf(limits: readonly CallerLimit[], { id, kind, values }: LimitedBalance, name: LimitName): LimitScope {
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

export interface RememberedRefusal {
  readonly refusal: LimitRefusal;
  /** `performance.now()` */
  readonly until: number;
}

const MAX = 10_000;

/** Repeats refusals without a query until their time has passed or the limit changes. */
export class RefusalMemory {
  private readonly refusals = new LRUCache<string, RememberedRefusal>({ max: MAX });

  remember(remembered: RememberedRefusal): void {
    const { balance, name } = remembered.refusal;
    this.refusals.set(`${balance.id} ${name}`, remembered);
  }

  /** A remembered refusal by one of these limits that applies to the call. */
  find(request: AdmissionRequest, names: readonly LimitName[] = LIMIT_NAMES): RememberedRefusal | null {
    if (this.refusals.size === 0) return null;
    for (const { id, values } of request.balances) {
      for (const name of names) {
        if (values[name] === null) continue;
        const found = this.refusals.get(`${id} ${name}`);
        if (!found || found.refusal.balance.values[name] !== values[name]) continue;
        if (performance.now() >= found.until) this.refusals.delete(`${id} ${name}`);
        else if (wants(request, name) >= found.refusal.required) return found;
      }
    }
    return null;
  }

  forgetConcurrentCalls({ balances }: AdmissionRequest): void {
    if (this.refusals.size === 0) return;
    for (const { id } of balances) this.refusals.delete(`${id} concurrentCalls`);
  }
}

function wants(request: AdmissionRequest, name: LimitName): number {
  if (name === 'tokensPerMinute') return request.tokens;
  return name === 'requestsPerMinute' || name === 'concurrentCalls' ? 1 : leastCost(request);
}
