import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { API_LABELS, STATUS_LABELS } from '../../kit/request-words';
import { userLabel } from '../../kit/user-label';
import { FILTERS, type FilterName, type UsageSearch } from './use-usage-search';

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
const KEPT_MS = 300_000;
/** The number of results that the gateway returns for a search. */
const OFFERED = 50;

/**
 * The filters that a person can use; by user only for those who see everyone's requests. Administrators see those of
 * projects among everyone's.
 */
export function filtersFor({ scope }: UsageSearch, isAdmin: boolean): FilterName[] {
  const seesAll = isAdmin && scope === 'all';
  const hidden: FilterName[] = ['upstreams', ...(seesAll ? [] : ['users' as const])];
  if (isAdmin && !seesAll) hidden.push('projects');
  return FILTERS.filter((name) => !hidden.includes(name));
}

/** The first matches of a search among the options; loaded when someone opens the list. */
export function useFilterOptions(name: FilterName, scope: UsageSearch['scope'], search: string) {
  const q = isSearched(name) ? search : '';
  return useQuery({
    queryKey: ['usage', 'filter-options', name, scope, q],
    queryFn: ({ signal }) => loadOptions(name, scope, { q, limit: OFFERED }, signal),
    staleTime: KEPT_MS,
    placeholderData: (before, query) => (query?.queryKey[2] === name ? before : undefined),
  });
}

/** The names of the active filters. */
export function useChosenOptions(name: FilterName, scope: UsageSearch['scope'], ids: readonly string[]) {
  const question = isSearched(name) ? { ids: [...ids], limit: ids.length } : {};
  return useQuery({
    queryKey: ['usage', 'chosen-options', name, scope, question],
    queryFn: ({ signal }) => loadOptions(name, scope, question, signal),
    staleTime: KEPT_MS,
    placeholderData: keepPreviousData,
  });
}

/** There may be more than the gateway returns, so it searches them. */
export function isSearched(name: FilterName): boolean {
  return name === 'keys' || name === 'users' || name === 'projects';
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
  if (name === 'keys') {
    const query = { scope, sort: '-created', ...question } as const;
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
    const query = { scope, status: 'all', ...question } as const;
    const { items } = await unwrap(api.GET('/api/projects', { params: { query }, signal }));
    return items.map(({ id, name: label }) => ({ id, label }));
  }
  return name === 'apis' ? API_OPTIONS : STATUS_OPTIONS;
}
