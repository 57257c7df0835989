import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { components } from '../../api/schema';

export type SettingGroup = components['schemas']['SettingGroupView'];
export type Setting = components['schemas']['SettingView'];

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/settings', { signal })),
});
