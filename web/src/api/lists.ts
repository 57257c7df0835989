import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from './client';
import type { components, paths } from './schema';

export type ModelView = components['schemas']['ModelView'];

/** The models that the person can use; for an admin also the others, with the reason. */
export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/models', { signal })),
  staleTime: 60_000,
});

/** The chat models among them. */
export const chatModelsQuery = queryOptions({
  ...modelsQuery,
  select: (models) => models.filter(({ kind }) => kind === 'chat'),
});

export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/plans', { signal })),
});

export type UsersQuestion = Omit<NonNullable<paths['/api/users']['get']['parameters']['query']>, 'cursor'>;
export type UserView = components['schemas']['UserView'];

const USERS = ['users'] as const;

/** For admins; page by page. */
export function usersQuery(question: UsersQuestion) {
  return infiniteQueryOptions({
    queryKey: [...USERS, 'list', question],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      unwrap(api.GET('/api/users', { params: { query: { ...question, ...(cursor && { cursor }) } }, signal })),
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  });
}

export function userQuery(id: string) {
  return queryOptions({
    queryKey: [...USERS, 'one', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api/users/{id}', { params: { path: { id } }, signal })),
  });
}
