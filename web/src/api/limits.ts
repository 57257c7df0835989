import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from './client';
import type { components } from './schema';

export type Budget = components['schemas']['BudgetView'];
export type UserLimits = components['schemas']['UserLimitsView'];

/** What limits the person who is signed in. */
export const ownLimitsQuery = queryOptions({
  queryKey: ['limits', 'mine'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/limits', { signal })),
});

/** What limits a user; for admins. */
export function userLimitsQuery(id: string) {
  return queryOptions({
    queryKey: ['limits', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api/users/{id}/limits', { params: { path: { id } }, signal })),
  });
}
