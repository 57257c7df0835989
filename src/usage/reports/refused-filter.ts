import type { UsageFilter } from './usage-report.types.js';

const NOT_VALID_KEY = 401;

/** The part of a filter that applies to refused requests; null if it excludes all of them. */
export interface RefusedFilter extends Omit<UsageFilter, 'statuses' | 'upstreams'> {
  /** Null: any. */
  httpStatus: number | null;
}

/** Refused requests called no upstream. `unauthorized` are those with HTTP status 401. */
export function refusedFilterOf({ statuses = [], upstreams = [], ...rest }: UsageFilter): RefusedFilter | null {
  if (upstreams.length > 0) return null;
  if (statuses.length === 0 || statuses.includes('refused')) return { ...rest, httpStatus: null };
  return statuses.includes('unauthorized') ? { ...rest, httpStatus: NOT_VALID_KEY } : null;
}
