import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from './client';
import type { UsersQuestion } from './lists';

/** The first users that a search finds, or those of some ids. */
export function foundUsersQuery(question: UsersQuestion) {
  return queryOptions({
    queryKey: ['users', 'found', question],
    queryFn: async ({ signal }) => {
      const { items } = await unwrap(api.GET('/api/users', { params: { query: question }, signal }));
      return items;
    },
  });
}
