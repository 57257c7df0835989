import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { components } from '../../api/schema';

export type Account = components['schemas']['AccountView'];
export type AccountSession = components['schemas']['AccountSessionView'];

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/account', { signal })),
});

export const accountSessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/account/sessions', { signal })),
});
