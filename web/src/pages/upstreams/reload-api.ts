import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { components } from '../../api/schema';

export type Reload = components['schemas']['ReloadView'];

export const reloadQuery = queryOptions({
  queryKey: ['settings', 'reload'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/settings/reload', { signal })),
});
