import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, NEXT_PAGE, unwrap } from '../../api/client';
import type { components, operations } from '../../api/schema';
import { formatMs, formatUsd } from '../../kit/numbers';
import { zoneName } from '../../kit/range';
import { API_LABELS, capital, codeWords, STATUS_LABELS } from '../../kit/words';
import { type FilterName, type RequestsSearch, toQuery } from './use-requests-search';

export type Call = components['schemas']['CallView'];
export type CallDetail = components['schemas']['CallDetailView'];
export type CallPage = components['schemas']['CallPageView'];
export type Histogram = components['schemas']['RequestHistogramView'];
type Facet = operations['Usage_facet']['parameters']['query']['of'];
/** Without a count, it is not known. */
export type FacetOption = Omit<components['schemas']['RequestFacetOptionView'], 'count'> & { count: number | null };
export interface FacetOptions {
  options: FacetOption[];
  /** Counted in so many of the newest requests; null for all. */
  newest: number | null;
}

const PAGE_SIZE = 50;
/** How often new requests are looked for. */
export const NEWEST_MS = 3000;
const COUNTS_MS = 15_000;
/** The longest page of the list of projects. */
const MAX_PROJECTS = 200;
const DAY_MS = 86_400_000;

/** The values that distinguish one list from another. */
export function searchKeyOf({ range, span, scope, filters }: RequestsSearch) {
  return [range, span && [span.from.toISOString(), span.to.toISOString()], scope, filters] as const;
}

/** The requests, newest first, page by page. */
export function requestsQuery(search: RequestsSearch) {
  return infiniteQueryOptions({
    queryKey: ['requests', 'list', ...searchKeyOf(search)],
    queryFn: ({ pageParam, signal }): Promise<CallPage> =>
      unwrap(
        api.GET('/api/usage/calls', {
          params: {
            query: { ...toQuery(search, new Date()), limit: pageParam ? NEXT_PAGE : PAGE_SIZE, cursor: pageParam },
          },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    // Comparing all pages with those before would block a long list.
    structuralSharing: false,
    // New requests are merged into the list; all its pages are never loaded again at once.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** The newest requests: of the list, or, beside a selected span, those since `since`. */
export function newestQuery(search: RequestsSearch, since: Date) {
  const isPast = search.span !== null;
  return queryOptions({
    queryKey: ['requests', 'newest', ...searchKeyOf(search), isPast && since.getTime()],
    queryFn: ({ signal }): Promise<CallPage> => {
      const now = new Date();
      const past = { from: since.toISOString(), to: new Date(now.getTime() + DAY_MS).toISOString() };
      const query = { ...toQuery(search, now), ...(isPast && past), limit: PAGE_SIZE };
      return unwrap(api.GET('/api/usage/calls', { params: { query }, signal }));
    },
    refetchInterval: NEWEST_MS,
    gcTime: 0,
  });
}

/** By outcome over the whole range, also while a span of it is selected. */
export function histogramQuery(search: RequestsSearch, isLive: boolean) {
  const whole = { ...search, span: null };
  return queryOptions({
    queryKey: ['requests', 'histogram', ...searchKeyOf(whole)],
    queryFn: ({ signal }) => {
      const query = { ...toQuery(whole, new Date()), zone: zoneName(search.range.zone) };
      return unwrap(api.GET('/api/usage/calls/histogram', { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
    refetchInterval: isLive ? COUNTS_MS : false,
  });
}

export function facetQuery(search: RequestsSearch, of: Facet) {
  return queryOptions({
    queryKey: ['requests', 'facet', of, ...searchKeyOf(search)],
    queryFn: ({ signal }): Promise<FacetOptions> => {
      const query = { ...toQuery(search, new Date()), of };
      return unwrap(api.GET('/api/usage/calls/facets', { params: { query }, signal }));
    },
    placeholderData: (before, query) => (query?.queryKey[2] === of ? before : undefined),
    staleTime: COUNTS_MS,
  });
}

/** The projects of a member, for the filter by project. */
export function ownProjectsQuery() {
  return queryOptions({
    queryKey: ['requests', 'own-projects'],
    queryFn: async ({ signal }): Promise<FacetOptions> => {
      const query = { status: 'all', sort: 'name', limit: MAX_PROJECTS } as const;
      const { items } = await unwrap(api.GET('/api/projects', { params: { query }, signal }));
      return { options: items.map(({ id, name }) => ({ id, label: name, detail: null, count: null })), newest: null };
    },
    staleTime: COUNTS_MS,
  });
}

export function callQuery(id: string) {
  return queryOptions({
    queryKey: ['requests', 'call', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api/usage/calls/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data?.status === 'open' ? NEWEST_MS : false),
  });
}

/** The address of a download of all requests that match. */
export function exportAddress(search: RequestsSearch, format: 'csv' | 'json'): string {
  const query = { kind: 'calls', format, ...toQuery(search, new Date()) };
  const pairs = Object.entries(query).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(',') : String(value),
  ]);
  return `/api/usage/export?${new URLSearchParams(pairs)}`;
}

export const FILTER_LABELS: Record<FilterName, string> = {
  statuses: 'Status',
  models: 'Model',
  keys: 'Key',
  users: 'User',
  projects: 'Project',
  upstreams: 'Upstream',
  codes: 'Error code',
  httpStatuses: 'HTTP status',
  apis: 'API',
  simulated: 'Simulated',
  stream: 'Streamed',
  minCostUsd: 'Cost',
  minMs: 'Duration',
};

export const FACET_OF: Record<FilterName, Facet> = {
  statuses: 'status',
  models: 'model',
  keys: 'key',
  users: 'user',
  projects: 'project',
  upstreams: 'upstream',
  codes: 'code',
  httpStatuses: 'httpStatus',
  apis: 'api',
  simulated: 'simulated',
  stream: 'stream',
  minCostUsd: 'cost',
  minMs: 'duration',
};

/** Filters with one value. */
export const SINGLE: readonly FilterName[] = ['simulated', 'stream', 'minCostUsd', 'minMs'];

/** A filter's value in words. */
export function wordOf(name: FilterName, { id, label }: Pick<FacetOption, 'id' | 'label'>): string {
  switch (name) {
    case 'statuses':
      return STATUS_LABELS[id] ?? id;
    case 'apis':
      return API_LABELS[id] ?? id;
    case 'simulated':
      return id === 'true' ? 'Simulated' : 'Not simulated';
    case 'stream':
      return id === 'true' ? 'Streamed' : 'Not streamed';
    case 'minCostUsd':
      return `${formatUsd(Number(id))} or more`;
    case 'minMs':
      return `${formatMs(Number(id))} or longer`;
    case 'codes':
      return capital(codeWords(id));
    default:
      return label;
  }
}
