import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { components } from '../../api/schema';

export type ModelActivity = components['schemas']['ModelActivityView'];

const REFRESH_MS = 60_000;

/** The models with requests in the last 24 hours. */
export const modelActivityQuery = queryOptions({
  queryKey: ['models', 'activity'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/models/activity', { signal })),
  refetchInterval: REFRESH_MS,
});
