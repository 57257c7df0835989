import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { FILTERS, type FilterName, type UsageSearch } from './use-usage-search';

export interface FilterOption {
  id: string;
  label: string;
  /** A second line, to tell things of the same name apart. */
  detail?: string;
}

export const FILTER_LABELS: Record<FilterName, string> = {
  models: 'Model',
  keys: 'Key',
  users: 'User',
  statuses: 'Status',
};

export const STATUS_LABELS: Record<string, string> = {
  open: 'Running',
  settled: 'Succeeded',
  failed: 'Failed',
  aborted: 'Aborted',
  interrupted: 'Interrupted',
  refused: 'Refused',
};

const STATUS_OPTIONS: FilterOption[] = Object.entries(STATUS_LABELS).map(([id, label]) => ({ id, label }));
const KEPT_MS = 300_000;

/** By what a person may narrow down what is shown; by users, whoever sees everybody's requests. */
export function filtersFor({ scope }: UsageSearch, isAdmin: boolean): FilterName[] {
  return FILTERS.filter((name) => name !== 'users' || (isAdmin && scope === 'all'));
}

/** What one can filter by; asked for when somebody looks, or when a filter of the address needs its names. */
export function useFilterOptions(name: FilterName, scope: UsageSearch['scope'], isNeeded: boolean) {
  return useQuery({
    queryKey: ['usage', 'filter-options', name, scope],
    queryFn: ({ signal }) => loadOptions(name, scope, signal),
    enabled: isNeeded,
    staleTime: KEPT_MS,
  });
}

async function loadOptions(
  name: FilterName,
  scope: UsageSearch['scope'],
  signal: AbortSignal,
): Promise<FilterOption[]> {
  if (name === 'models') {
    const models = await unwrap(api.GET('/api/models', { signal }));
    return models.map(({ id, displayName }) => ({ id, label: displayName, detail: id }));
  }
  if (name === 'keys') {
    const keys = await unwrap(api.GET('/api/keys', { params: { query: { scope } }, signal }));
    return keys.map(({ id, name: label, display, owner }) => ({
      id,
      label,
      detail: scope === 'all' ? `${display} · ${owner.email}` : display,
    }));
  }
  if (name === 'users') {
    const users = await unwrap(api.GET('/api/users', { signal }));
    return users.map(({ id, email, name: label }) => ({
      id,
      label: label || email,
      detail: label ? email : undefined,
    }));
  }
  return STATUS_OPTIONS;
}
