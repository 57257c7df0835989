import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { components } from '../../api/schema';

export type ModelView = components['schemas']['ModelView'];

/** The models that the person may call; for an admin also the others, with the reason. */
export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/models', { signal })),
  staleTime: 60_000,
});
