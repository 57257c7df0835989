import { formatMs, formatUsd } from '../../kit/numbers';
import { API_LABELS, STATUS_LABELS } from '../../kit/request-words';
import type { Facet, FacetOption } from './requests-queries';
import type { FilterName } from './use-requests-search';

export const FILTER_LABELS: Record<FilterName, string> = {
  statuses: 'Status',
  models: 'Model',
  keys: 'Key',
  users: 'User',
  projects: 'Project',
  upstreams: 'Upstream',
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
    default:
      return label;
  }
}
