import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { RequestsSearch } from './use-requests-search';

/** The names of the keys, users and projects of the active filters, by id. */
export function namesQuery({ scope, filters: { keys, users, projects } }: RequestsSearch) {
  return queryOptions({
    queryKey: ['requests', 'names', scope, keys, users, projects],
    queryFn: async ({ signal }): Promise<Record<string, string>> => {
      const [foundUsers, foundProjects, ...foundKeys] = await Promise.all([
        users.length > 0
          ? unwrap(api.GET('/api/users', { params: { query: { ids: users, limit: users.length } }, signal }))
          : null,
        projects.length > 0
          ? unwrap(
              api.GET('/api/projects', {
                params: { query: { scope, status: 'all', ids: projects, limit: projects.length } },
                signal,
              }),
            )
          : null,
        ...(keys.length > 0 ? keyListsOf(scope, projects) : []).map((where) =>
          unwrap(api.GET('/api/keys', { params: { query: { ...where, ids: keys, limit: keys.length } }, signal })),
        ),
      ]);
      return Object.fromEntries([
        ...foundKeys.flatMap(({ items }) => items.map(({ id, name }) => [id, name])),
        ...(foundUsers?.items ?? []).map(({ id, name, email }) => [id, name || email]),
        ...(foundProjects?.items ?? []).map(({ id, name }) => [id, name]),
      ]);
    },
    enabled: keys.length + users.length + projects.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 300_000,
  });
}

/** Where the chosen keys can be: a member's list does not have those of projects. */
function keyListsOf(scope: RequestsSearch['scope'], projects: readonly string[]) {
  return scope === 'all' || projects.length === 0 ? [{ scope }] : projects.map((project) => ({ project }));
}
