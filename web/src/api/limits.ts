import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from './client';
import type { components } from './schema';

export type Budget = components['schemas']['BudgetView'];
export type Rate = components['schemas']['RateView'];
export type UserLimits = components['schemas']['UserLimitsView'];

/** Used rates change every second. */
const REFRESH_MS = 5000;
export const CALCULATING_MS = 1000;

/** Limits of the signed-in person. */
export const ownLimitsQuery = queryOptions({
  queryKey: ['limits', 'mine'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/limits', { signal })),
  refetchInterval: ({ state }) => refreshMs(state.data),
});

/** Limits of a user; for admins. */
export function userLimitsQuery(id: string) {
  return queryOptions({
    queryKey: ['limits', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api/users/{id}/limits', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => refreshMs(state.data),
  });
}

function refreshMs(limits: UserLimits | undefined): number | false {
  if (limits && isCalculating(limits.budgets)) return CALCULATING_MS;
  return limits && limits.rates.length > 0 ? REFRESH_MS : false;
}

/** Whether any budget's spending is still being summed up, which takes seconds. */
export function isCalculating(budgets: readonly Budget[]): boolean {
  return budgets.some(({ calculating }) => calculating);
}
