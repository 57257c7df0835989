import { useCallback, useMemo } from 'react';
import { mayAll, useSession } from '../../api/session';
import { isGrowing, RANGE_RULES, type RangeChoice, type Span, toRange, toSpan } from '../../kit/range';
import { looksLikeKey, type SearchParams } from '../../kit/search-params';
import { type Scope, UUID, useAddressCheck, useUrlValues, useUsageScope } from '../../kit/url-state';
import { API_LABELS, STATUS_LABELS } from '../../kit/words';

export const LISTS = [
  'statuses',
  'models',
  'keys',
  'users',
  'projects',
  'upstreams',
  'codes',
  'httpStatuses',
  'apis',
] as const;
export const CONDITIONS = ['simulated', 'stream', 'minCostUsd', 'minMs'] as const;
export const FILTERS = [...LISTS, ...CONDITIONS] as const;
export type FilterName = (typeof FILTERS)[number];
export type Filters = Record<FilterName, string[]>;

/** The whole state of the page, from its address. */
export interface RequestsSearch {
  range: RangeChoice;
  /** Selected in the histogram, within the range. */
  span: Span | null;
  scope: Scope;
  filters: Filters;
  /** Whether errors by cause are shown instead of requests. */
  showsCauses: boolean;
}

export interface RequestsControls {
  search: RequestsSearch;
  isAdmin: boolean;
  /** Sets values in the address; an empty one restores the default. */
  change: (values: SearchParams) => void;
}

/** Changing the range is a step in the browser's history. */
const STEPS = ['range', 'from', 'to', 'since'];

const RULES = {
  ...RANGE_RULES,
  statuses: Object.keys(STATUS_LABELS),
  apis: Object.keys(API_LABELS),
  keys: UUID,
  users: UUID,
  projects: UUID,
  httpStatuses: /^[1-5]\d\d$/,
  simulated: ['true', 'false'],
  stream: ['true', 'false'],
  minCostUsd: /^\d+(?:\.\d+)?$/,
  minMs: /^\d+$/,
  group: ['errors'],
};

/** The state from the address; values that are invalid, or not allowed for this person, are ignored. */
export function useRequestsSearch(): RequestsControls {
  const [values, replace] = useUrlValues();
  const [, push] = useUrlValues(true);
  const { scope } = useUsageScope();
  const isAdmin = mayAll(useSession(), 'usage.read');
  useAddressCheck(values, RULES);
  const search = useMemo(() => toSearch(values, isAdmin, scope), [values, isAdmin, scope]);
  const change = useCallback(
    (changes: SearchParams) => {
      const isStep = STEPS.some((name) => name in changes);
      const leavesSpan = isStep && !('since' in changes);
      (isStep ? push : replace)({ ...changes, ...(leavesSpan && { since: undefined, until: undefined }) });
    },
    [push, replace],
  );
  return { search, isAdmin, change };
}

/** The address as the page's state. */
export function toSearch(values: SearchParams, isAdmin: boolean, scope: Scope): RequestsSearch {
  const isAllowed = (name: FilterName) => isAdmin || (name === 'users' ? scope === 'projects' : name !== 'upstreams');
  const filters = FILTERS.map((name) => [name, isAllowed(name) ? listOf(values[name]) : []]);
  return {
    range: toRange(values),
    span: toChosenSpan(values),
    scope,
    filters: Object.fromEntries(filters) as Filters,
    showsCauses: values.group === 'errors',
  };
}

/** The filters that a person can use: by user only where requests of others are shown; for administrators also by project. */
export function filtersFor(isAdmin: boolean, scope: Scope): FilterName[] {
  return FILTERS.filter((name) => {
    if (name === 'upstreams') return isAdmin;
    if (name === 'users') return scope !== 'mine';
    return name !== 'projects' || scope !== 'mine' || !isAdmin;
  });
}

/** The address without filters. */
export function withoutFilters(): SearchParams {
  return Object.fromEntries(FILTERS.map((name) => [name, undefined]));
}

/** What a request to the gateway asks for. A range that is not over has no end. */
export function toQuery({ range, span, scope, filters }: RequestsSearch, now: Date) {
  const shown = span ?? toSpan(range, now);
  const isOpen = span === null && isGrowing(range, now);
  const lists = Object.fromEntries(LISTS.flatMap((name) => (filters[name].length > 0 ? [[name, filters[name]]] : [])));
  const first = (name: FilterName) => filters[name][0];
  const [minCostUsd, minMs] = [first('minCostUsd'), first('minMs')];
  return {
    from: shown.from.toISOString(),
    to: (isOpen ? new Date(now.getTime() + 86_400_000) : shown.to).toISOString(),
    scope,
    ...lists,
    ...(filters.simulated.length === 1 && { simulated: first('simulated') as 'true' | 'false' }),
    ...(filters.stream.length === 1 && { stream: first('stream') as 'true' | 'false' }),
    ...(minCostUsd !== undefined && { minCostUsd: Number(minCostUsd) }),
    ...(minMs !== undefined && { minMs: Number(minMs) }),
  };
}

function toChosenSpan({ since, until }: SearchParams): Span | null {
  const from = new Date(since ?? '');
  const to = new Date(until ?? '');
  return from < to ? { from, to } : null;
}

function listOf(value: string | undefined): string[] {
  return value ? value.split(',').filter((id) => id !== '') : [];
}

/** Neither a single request nor one moment belongs to a view. */
const LEFT_OUT = ['call', 'since', 'until'];

/** The part of an address that a view keeps; never text that looks like a key. */
export function toSavedSearch(search: SearchParams): SearchParams {
  return Object.fromEntries(
    Object.entries(search).filter(([name, value]) => value && !LEFT_OUT.includes(name) && !looksLikeKey(value)),
  );
}
