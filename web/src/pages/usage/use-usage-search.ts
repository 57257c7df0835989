import { useMemo } from 'react';
import { useSession } from '../../api/session';
import type { SearchParams } from '../../kit/search-params';
import { useUrlValues } from '../../kit/use-url-state';
import { METRICS, type MetricId } from './metrics';
import { PRESETS, type RangeChoice, ZONES } from './range';

export const GRANULARITIES = ['auto', 'hour', 'day'] as const;
export const GROUPINGS = ['model', 'key', 'user', 'upstream', 'status'] as const;
export const TABS = ['report', 'requests'] as const;
export const FILTERS = ['models', 'keys', 'users', 'statuses'] as const;

export type Granularity = (typeof GRANULARITIES)[number];
export type Grouping = (typeof GROUPINGS)[number];
export type FilterName = (typeof FILTERS)[number];
export type Filters = Record<FilterName, string[]>;

/** Everything that the usage page shows, as its address says it. */
export interface UsageSearch {
  range: RangeChoice;
  granularity: Granularity;
  groupBy: Grouping;
  metric: MetricId;
  compare: boolean;
  scope: 'mine' | 'all';
  filters: Filters;
  tab: (typeof TABS)[number];
  table: 'groups' | 'time';
  /** The call whose details are open. */
  call: string | null;
}

export interface UsageControls {
  search: UsageSearch;
  isAdmin: boolean;
  /** Takes values as they stand in the address; an empty one restores the default. */
  change: (values: SearchParams) => void;
  filterBy: (name: FilterName, ids: readonly string[]) => void;
}

const ADMIN_ONLY: readonly Grouping[] = ['user', 'upstream'];

/** What is read from the address; what is wrong in it, or not for this person, counts as not being there. */
export function useUsageSearch(): UsageControls {
  const [values, change] = useUrlValues();
  const isAdmin = useSession().user?.role === 'admin';
  const search = useMemo(() => toSearch(values, isAdmin), [values, isAdmin]);
  const filterBy = (name: FilterName, ids: readonly string[]) => change({ [name]: ids.join(',') || undefined });
  return { search, isAdmin, change, filterBy };
}

/** The groupings that a person may choose. */
export function groupingsFor(isAdmin: boolean): Grouping[] {
  return GROUPINGS.filter((grouping) => isAdmin || !ADMIN_ONLY.includes(grouping));
}

function toSearch(values: SearchParams, isAdmin: boolean): UsageSearch {
  return {
    range: {
      preset: oneOf(PRESETS, values.range, '7d'),
      zone: oneOf(ZONES, values.zone, 'local'),
      fromDay: values.from ?? null,
      toDay: values.to ?? null,
    },
    granularity: oneOf(GRANULARITIES, values.step, 'auto'),
    groupBy: oneOf(groupingsFor(isAdmin), values.by, 'model'),
    metric: oneOf(METRICS, values.metric, 'cost'),
    compare: values.compare !== 'off',
    scope: isAdmin && values.scope !== 'mine' ? 'all' : 'mine',
    filters: {
      models: listOf(values.models),
      keys: listOf(values.keys),
      users: isAdmin ? listOf(values.users) : [],
      statuses: listOf(values.statuses),
    },
    tab: oneOf(TABS, values.tab, 'report'),
    table: values.table === 'time' ? 'time' : 'groups',
    call: values.call ?? null,
  };
}

function oneOf<T extends string>(allowed: readonly T[], value: string | undefined, fallback: T): T {
  return allowed.find((choice) => choice === value) ?? fallback;
}

function listOf(value: string | undefined): string[] {
  return value ? value.split(',').filter((id) => id !== '') : [];
}
