import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { isGrowing, type Span, toSpan, toSpanBefore, zoneName } from '../../kit/range';
import { metricOf } from './metrics';
import type { UsageSearch } from './use-usage-search';

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

/** The address of a download of the report's rows. */
export function exportAddress(search: UsageSearch, format: 'csv' | 'json'): string {
  const { granularity, groupBy, range } = search;
  const query = {
    kind: 'report',
    format,
    ...rangeOf(search),
    ...filtersOf(search),
    zone: zoneName(range.zone),
    granularity,
    groupBy,
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

function filtersOf({ scope, filters: { models, keys, users, projects, statuses, apis, upstreams } }: UsageSearch) {
  return {
    scope,
    models: models.length > 0 ? models : undefined,
    keys: keys.length > 0 ? keys : undefined,
    users: users.length > 0 ? users : undefined,
    projects: projects.length > 0 ? projects : undefined,
    statuses: statuses.length > 0 ? statuses : undefined,
    apis: apis.length > 0 ? apis : undefined,
    upstreams: upstreams.length > 0 ? upstreams : undefined,
  };
}
