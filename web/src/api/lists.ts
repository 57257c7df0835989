import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from './client';
import type { components } from './schema';

export type ModelView = components['schemas']['ModelView'];

/** The models that the person may call; for an admin also the others, with the reason. */
export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/models', { signal })),
  staleTime: 60_000,
});

export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/plans', { signal })),
});

/** For admins. */
export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/users', { signal })),
});
