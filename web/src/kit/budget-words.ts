import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../api/client';
import type { components } from '../api/schema';
import type { StatusTone } from './status-badge';
import type { Scope } from './url-state';

export type BudgetStanding = components['schemas']['BudgetStandingView'];

const REFRESH_MS = 30_000;

export function budgetsQuery(scope: Scope) {
  return queryOptions({
    queryKey: ['budgets', scope],
    queryFn: ({ signal }) => unwrap(api.GET('/api/budgets', { params: { query: { scope } }, signal })),
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  });
}

/** From this share on, a budget is near its end. */
const NEAR = 0.8;

export const SCOPE_NAMES: Readonly<Record<string, string>> = {
  plan: 'Plan',
  user: 'User',
  key: 'Key',
  project: 'Project',
};

export const PERIOD_LABELS = { day: 'Today', month: 'This month', total: 'In total' } as const;

export const STATE_NAMES = {
  spent: 'Used up',
  short: 'The rest does not cover another call',
  near: '80 % or more',
  ahead: 'Will run out',
  fine: 'Enough left',
} as const;

export type BudgetState = keyof typeof STATE_NAMES;

export const STATE_TONES: Readonly<Record<BudgetState, StatusTone>> = {
  spent: 'bad',
  short: 'bad',
  near: 'warn',
  ahead: 'warn',
  fine: 'good',
};

/** Calls are refused. */
export function isUsedUp(state: BudgetState): boolean {
  return state === 'spent' || state === 'short';
}

export function shareOf({ amountUsd, spentUsd }: BudgetStanding): number {
  return amountUsd === 0 ? 1 : spentUsd / amountUsd;
}

export function stateOf(budget: BudgetStanding): BudgetState {
  const share = shareOf(budget);
  if (share >= 1) return 'spent';
  if (budget.uncoveredUsd !== null) return 'short';
  if (share >= NEAR) return 'near';
  return budget.runsOutAt === null ? 'fine' : 'ahead';
}
