import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { RequestsSearch } from './use-requests-search';

/** The names of the keys and users of the active filters, by id. */
export function namesQuery({ scope, filters: { keys, users } }: RequestsSearch) {
  return queryOptions({
    queryKey: ['requests', 'names', scope, keys, users],
    queryFn: async ({ signal }): Promise<Record<string, string>> => {
      const [foundKeys, foundUsers] = await Promise.all([
        keys.length > 0
          ? unwrap(api.GET('/api/keys', { params: { query: { scope, ids: keys, limit: keys.length } }, signal }))
          : null,
        users.length > 0
          ? unwrap(api.GET('/api/users', { params: { query: { ids: users, limit: users.length } }, signal }))
          : null,
      ]);
      return Object.fromEntries([
        ...(foundKeys?.items ?? []).map(({ id, name }) => [id, name]),
        ...(foundUsers?.items ?? []).map(({ id, name, email }) => [id, name || email]),
      ]);
    },
    enabled: keys.length + users.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 300_000,
  });
}
