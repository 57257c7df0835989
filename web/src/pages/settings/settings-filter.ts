import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { components } from '../../api/schema';

export type SettingGroup = components['schemas']['SettingGroupView'];
export type Setting = components['schemas']['SettingView'];

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/settings', { signal })),
});

export const SHOWN = ['all', 'set'] as const;

export type Shown = (typeof SHOWN)[number];

/** The settings that contain every word of the search; with `set`, only those that something sets. */
export function matchingGroups(groups: readonly SettingGroup[], search: string, shown: Shown): SettingGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return groups
    .map(({ title, settings }) => ({
      title,
      settings: settings.filter(
        (setting) => (shown === 'all' || setting.source !== 'default') && matches(setting, title, words),
      ),
    }))
    .filter(({ settings }) => settings.length > 0);
}

function matches({ name, description, value, setBy }: Setting, title: string, words: readonly string[]): boolean {
  const text = [title, name, description, value, setBy].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}
