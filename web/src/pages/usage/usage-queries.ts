import { infiniteQueryOptions, keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { isGrowing, type Span, toSpan, toSpanBefore, zoneName } from '../../kit/range';
import { API_LABELS, STATUS_LABELS, userLabel } from '../../kit/words';
import { metricOf } from './metrics';
import { FILTERS, type FilterName, type Grouping, type UsageSearch } from './use-usage-search';

/** How often growing numbers are loaded again. */
const REFRESH_MS = 30_000;
/** The report itself has the first page of its groups. */
const FIRST_OF_MORE = 2;

/** The page's report. A range that is not over ends at the time of the request. */
export function reportQuery(search: UsageSearch) {
  const { range, granularity, groupBy } = search;
  const { rankBy } = metricOf(search.metric);
  return queryOptions({
    queryKey: ['usage', 'report', range, granularity, groupBy, rankBy, filtersOf(search)],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/usage', {
          params: {
            query: {
              ...rangeOf(search),
              ...filtersOf(search),
              zone: zoneName(range.zone),
              granularity,
              groupBy,
              rankBy,
            },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: isGrowing(range, new Date()) ? REFRESH_MS : false,
  });
}

/** The groups after those of the report, page by page; loaded on demand. */
export function moreGroupsQuery(search: UsageSearch) {
  const { range, granularity, groupBy } = search;
  const { rankBy } = metricOf(search.metric);
  return infiniteQueryOptions({
    queryKey: ['usage', 'groups', range, granularity, groupBy, rankBy, filtersOf(search)],
    queryFn: ({ pageParam: page, signal }) => {
      const zone = zoneName(range.zone);
      const query = { ...rangeOf(search), ...filtersOf(search), zone, granularity, groupBy, rankBy, page };
      return unwrap(api.GET('/api/usage/groups', { params: { query }, signal }));
    },
    enabled: false,
    initialPageParam: FIRST_OF_MORE,
    getNextPageParam: ({ groups }, pages) => (groups.length > 0 ? FIRST_OF_MORE + pages.length : undefined),
  });
}

/** The totals of the previous period. */
export function reportBeforeQuery(search: UsageSearch) {
  const { range, compare } = search;
  return queryOptions({
    queryKey: ['usage', 'report-before', range, filtersOf(search)],
    queryFn: ({ signal }) => {
      const span = toQuery(toSpanBefore(range, new Date()));
      const query = { ...span, ...filtersOf(search), zone: zoneName(range.zone), granularity: 'day' } as const;
      return unwrap(api.GET('/api/usage', { params: { query }, signal }));
    },
    enabled: compare,
    refetchInterval: isGrowing(range, new Date()) ? REFRESH_MS : false,
  });
}

interface ExportChoice {
  format: 'csv' | 'json';
  groups: readonly Grouping[];
  step: 'hour' | 'day' | 'month';
}

/** The address of a download of the range's sums. */
export function exportAddress(search: UsageSearch, { format, groups, step }: ExportChoice): string {
  const query = {
    kind: 'report',
    format,
    ...rangeOf(search),
    ...filtersOf(search),
    zone: zoneName(search.range.zone),
    granularity: step,
    groups: groups.length > 0 ? groups : undefined,
  };
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(',') : String(value)]],
  );
  return `/api/usage/export?${new URLSearchParams(pairs)}`;
}

function rangeOf({ range }: UsageSearch) {
  return toQuery(toSpan(range, new Date()));
}

function toQuery({ from, to }: Span) {
  return { from: from.toISOString(), to: to.toISOString() };
}

function filtersOf({
  scope,
  simulated,
  filters: { models, keys, users, projects, statuses, apis, upstreams },
}: UsageSearch) {
  return {
    scope,
    simulated: simulated === 'all' ? undefined : simulated,
    models: models.length > 0 ? models : undefined,
    keys: keys.length > 0 ? keys : undefined,
    users: users.length > 0 ? users : undefined,
    projects: projects.length > 0 ? projects : undefined,
    statuses: statuses.length > 0 ? statuses : undefined,
    apis: apis.length > 0 ? apis : undefined,
    upstreams: upstreams.length > 0 ? upstreams : undefined,
  };
}

export interface FilterOption {
  id: string;
  label: string;
  /** A second line, to distinguish options with the same name. */
  detail?: string;
}

export const FILTER_LABELS: Record<FilterName, string> = {
  models: 'Model',
  keys: 'Key',
  users: 'User',
  projects: 'Project',
  statuses: 'Status',
  apis: 'API',
  upstreams: 'Upstream',
};

const API_OPTIONS: FilterOption[] = Object.entries(API_LABELS).map(([id, label]) => ({ id, label }));
const STATUS_OPTIONS: FilterOption[] = Object.entries(STATUS_LABELS).map(([id, label]) => ({ id, label }));
const STORED_MS = 300_000;
/** Keys and users of projects are offered if they had requests within this time. */
const USED_WITHIN_MS = 90 * 86_400_000;
/** The number of results that the gateway returns for a search. */
const OFFERED = 50;

/**
 * The filters that a person can use; by user only where requests of others are shown. Administrators have the filter by
 * project there, too.
 */
export function filtersFor({ scope }: UsageSearch, isAdmin: boolean): FilterName[] {
  const seesOthers = scope !== 'mine';
  const hidden: FilterName[] = ['upstreams', ...(seesOthers ? [] : ['users' as const])];
  if (isAdmin && !seesOthers) hidden.push('projects');
  return FILTERS.filter((name) => !hidden.includes(name));
}

/** The first matches of a search among the options; loaded when someone opens the list. */
export function useFilterOptions(name: FilterName, scope: UsageSearch['scope'], search: string) {
  const q = isSearched(name, scope) ? search : '';
  return useQuery({
    queryKey: ['usage', 'filter-options', name, scope, q],
    queryFn: ({ signal }) => loadOptions(name, scope, { q, limit: OFFERED }, signal),
    staleTime: STORED_MS,
    placeholderData: (before, query) => (query?.queryKey[2] === name ? before : undefined),
  });
}

/** The names of the active filters. */
export function useChosenOptions(name: FilterName, scope: UsageSearch['scope'], ids: readonly string[]) {
  const question = isSearched(name, scope) ? { ids: [...ids], limit: ids.length } : {};
  return useQuery({
    queryKey: ['usage', 'chosen-options', name, scope, question],
    queryFn: ({ signal }) => loadOptions(name, scope, question, signal),
    staleTime: STORED_MS,
    placeholderData: keepPreviousData,
  });
}

/** There may be more than the gateway returns, so it searches them. */
export function isSearched(name: FilterName, scope: UsageSearch['scope']): boolean {
  return name === 'projects' || (scope !== 'projects' && (name === 'keys' || name === 'users'));
}

async function loadOptions(
  name: FilterName,
  scope: UsageSearch['scope'],
  question: { q?: string; ids?: string[]; limit?: number },
  signal: AbortSignal,
): Promise<FilterOption[]> {
  if (name === 'models') {
    const models = await unwrap(api.GET('/api/models', { signal }));
    return models.map(({ id, displayName }) => ({ id, label: displayName, detail: id }));
  }
  if (scope === 'projects' && (name === 'keys' || name === 'users')) {
    const span = { from: new Date(Date.now() - USED_WITHIN_MS).toISOString(), to: new Date().toISOString() };
    const query = { ...span, scope, of: name === 'keys' ? 'key' : 'user' } as const;
    const { options } = await unwrap(api.GET('/api/usage/calls/facets', { params: { query }, signal }));
    return options.map(({ id, label, detail }) => ({ id, label, detail: detail ?? undefined }));
  }
  const whose = scope === 'all' ? scope : 'mine';
  if (name === 'keys') {
    const query = { scope: whose, sort: '-created', ...question } as const;
    const { items } = await unwrap(api.GET('/api/keys', { params: { query }, signal }));
    return items.map(({ id, name: label, display, owner }) => ({
      id,
      label,
      detail: scope === 'all' ? `${display} · ${userLabel(owner)}` : display,
    }));
  }
  if (name === 'users') {
    const { items } = await unwrap(api.GET('/api/users', { params: { query: question }, signal }));
    return items.map(({ id, email, name: label }) => ({
      id,
      label: label || (email ?? ''),
      detail: label && email ? email : undefined,
    }));
  }
  if (name === 'projects') {
    const query = { scope: whose, status: 'all', ...question } as const;
    const { items } = await unwrap(api.GET('/api/projects', { params: { query }, signal }));
    return items.map(({ id, name: label }) => ({ id, label }));
  }
  return name === 'apis' ? API_OPTIONS : STATUS_OPTIONS;
}

export const CACHE_DAYS = 30;

/** What the cache of equal answers saved, for administrators. */
export const cacheReportQuery = queryOptions({
  queryKey: ['cache', CACHE_DAYS],
  queryFn: ({ signal }) => unwrap(api.GET('/api/cache', { params: { query: { days: CACHE_DAYS } }, signal })),
});
