import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';

/** The models that a key can be for. */
export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/models', { signal })),
});
