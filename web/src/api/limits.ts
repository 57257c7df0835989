import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from './client';
import type { components } from './schema';

export type Budget = components['schemas']['BudgetView'];
export type Rate = components['schemas']['RateView'];
export type UserLimits = components['schemas']['UserLimitsView'];

/** What is used of a rate changes by the second. */
const REFRESH_MS = 5000;

/** What limits the person who is signed in. */
export const ownLimitsQuery = queryOptions({
  queryKey: ['limits', 'mine'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/limits', { signal })),
  refetchInterval: ({ state }) => (hasRates(state.data) ? REFRESH_MS : false),
});

/** What limits a user; for admins. */
export function userLimitsQuery(id: string) {
  return queryOptions({
    queryKey: ['limits', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api/users/{id}/limits', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (hasRates(state.data) ? REFRESH_MS : false),
  });
}

function hasRates(limits: UserLimits | undefined): boolean {
  return limits !== undefined && limits.rates.length > 0;
}
