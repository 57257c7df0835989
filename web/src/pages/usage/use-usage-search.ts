import { useCallback, useMemo } from 'react';
import { mayAll, useSession } from '../../api/session';
import { RANGE_RULES, type RangeChoice, toRange } from '../../kit/range';
import type { SearchParams } from '../../kit/search-params';
import { type Scope, UUID, useAddressCheck, useUrlValues, useUsageScope } from '../../kit/url-state';
import { API_LABELS, STATUS_LABELS } from '../../kit/words';
import { METRICS, type MetricId } from './metrics';

export const GRANULARITIES = ['auto', 'hour', 'day'] as const;
export const GROUPINGS = ['model', 'key', 'user', 'project', 'upstream', 'status', 'api'] as const;
export const FILTERS = ['models', 'keys', 'users', 'projects', 'statuses', 'apis', 'upstreams'] as const;

/** The address without filters. */
export const NO_FILTERS = {
  models: undefined,
  keys: undefined,
  users: undefined,
  projects: undefined,
  statuses: undefined,
  apis: undefined,
  upstreams: undefined,
};

/** Whether requests that the simulator answered are counted. */
export const SIMULATED = ['all', 'false', 'true'] as const;

export type Granularity = (typeof GRANULARITIES)[number];
export type Grouping = (typeof GROUPINGS)[number];
export type FilterName = (typeof FILTERS)[number];
export type Filters = Record<FilterName, string[]>;

/** The whole state of the usage page, from its address. */
export interface UsageSearch {
  range: RangeChoice;
  granularity: Granularity;
  groupBy: Grouping;
  metric: MetricId;
  compare: boolean;
  scope: Scope;
  simulated: (typeof SIMULATED)[number];
  filters: Filters;
  table: 'groups' | 'time';
}

export interface UsageControls {
  search: UsageSearch;
  isAdmin: boolean;
  /** Sets values in the address; an empty one restores the default. */
  change: (values: SearchParams) => void;
  filterBy: (name: FilterName, ids: readonly string[]) => void;
}

/** Changing the range is a step in the browser's history. */
const STEPS = ['range', 'from', 'to'];

const OF_OTHERS: readonly Grouping[] = ['user', 'project'];

/** The state from the address; values that are invalid, or not allowed for this person, are ignored. */
export function useUsageSearch(): UsageControls {
  const [values, replace] = useUrlValues();
  const [, push] = useUrlValues(true);
  const { scope } = useUsageScope('usage');
  const isAdmin = mayAll(useSession(), 'usage.read');
  useAddressCheck(values, {
    ...RANGE_RULES,
    step: GRANULARITIES,
    by: groupingsFor(isAdmin, scope),
    metric: METRICS,
    simulated: SIMULATED,
    table: ['time', 'groups'],
    statuses: Object.keys(STATUS_LABELS),
    apis: Object.keys(API_LABELS),
    keys: UUID,
    users: UUID,
    projects: UUID,
  });
  const search = useMemo(() => toSearch(values, isAdmin, scope), [values, isAdmin, scope]);
  const change = useCallback(
    (changes: SearchParams) => (STEPS.some((name) => name in changes) ? push : replace)(changes),
    [push, replace],
  );
  const filterBy = (name: FilterName, ids: readonly string[]) => change({ [name]: ids.join(',') || undefined });
  return { search, isAdmin, change, filterBy };
}

/** The groupings that a person can choose. */
export function groupingsFor(isAdmin: boolean, scope: Scope): Grouping[] {
  const isOfProjects = scope === 'projects';
  return GROUPINGS.filter((one) => isAdmin || (OF_OTHERS.includes(one) ? isOfProjects : one !== 'upstream'));
}

/** The address as the page's state. */
export function toSearch(values: SearchParams, isAdmin: boolean, scope: Scope): UsageSearch {
  return {
    range: toRange(values),
    granularity: oneOf(GRANULARITIES, values.step, 'auto'),
    groupBy: oneOf(groupingsFor(isAdmin, scope), values.by, 'model'),
    metric: oneOf(METRICS, values.metric, isOfRefused(listOf(values.statuses)) ? 'refused' : 'cost'),
    compare: values.compare !== 'off',
    scope,
    simulated: oneOf(SIMULATED, values.simulated, 'all'),
    filters: {
      models: listOf(values.models),
      keys: listOf(values.keys),
      users: isAdmin || scope === 'projects' ? listOf(values.users) : [],
      projects: listOf(values.projects),
      statuses: listOf(values.statuses),
      apis: listOf(values.apis),
      upstreams: isAdmin ? listOf(values.upstreams) : [],
    },
    table: values.table === 'time' ? 'time' : 'groups',
  };
}

/** The page of requests with the same range and filters. */
export function requestsOf({ range, scope, simulated, filters }: UsageSearch): SearchParams {
  return {
    range: range.preset === '7d' ? undefined : range.preset,
    from: range.fromDay ?? undefined,
    to: range.toDay ?? undefined,
    zone: range.zone === 'utc' ? range.zone : undefined,
    scope,
    simulated: simulated === 'all' ? undefined : simulated,
    ...Object.fromEntries(FILTERS.map((name) => [name, filters[name].join(',') || undefined])),
  };
}

/** They have no cost. */
function isOfRefused(statuses: readonly string[]): boolean {
  return statuses.length > 0 && statuses.every((status) => status === 'refused' || status === 'unauthorized');
}

function oneOf<T extends string>(allowed: readonly T[], value: string | undefined, fallback: T): T {
  return allowed.find((choice) => choice === value) ?? fallback;
}

function listOf(value: string | undefined): string[] {
  return value ? value.split(',').filter((id) => id !== '') : [];
}
