import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../api/client';
import type { components } from '../api/schema';
import { zoneName } from '../kit/range';

export type UsageReport = components['schemas']['UsageReportView'];
export type UsageTotals = components['schemas']['UsageTotalsView'];
export type FailedCall = components['schemas']['CallView'];

/** The key or user whose usage a page shows. Members of a project can see the usage of its keys. */
export type Whose = { key: string; project: string | null } | { user: string };

/** Statuses of requests that a person may want to investigate. */
export const FAILED_STATUSES = ['failed', 'interrupted', 'refused'];

const DAYS = 30;
const DAY_MS = 86_400_000;
/** Enough to fill the list with different errors. */
const MAX_FAILED = 50;
const REFRESH_MS = 60_000;

/** The last 30 days, by day and model. `isAdmin`: also of others. */
export function monthOfUseQuery(whose: Whose, isAdmin: boolean) {
  return queryOptions({
    queryKey: ['standing', 'use', whose, isAdmin],
    queryFn: ({ signal }) => {
      const span = { ...spanOf(new Date()), zone: zoneName('local'), granularity: 'day' } as const;
      const query = { ...span, ...filterOf(whose, isAdmin), groupBy: 'model', rankBy: 'requests' } as const;
      return unwrap(api.GET('/api/usage', { params: { query }, signal }));
    },
    refetchInterval: REFRESH_MS,
  });
}

/** The newest failed and refused requests of the last 30 days. */
export function recentFailuresQuery(whose: Whose, isAdmin: boolean) {
  return queryOptions({
    queryKey: ['standing', 'failures', whose, isAdmin],
    queryFn: async ({ signal }) => {
      const query = { ...spanOf(new Date()), ...filterOf(whose, isAdmin), statuses: FAILED_STATUSES };
      const params = { query: { ...query, limit: MAX_FAILED } };
      return (await unwrap(api.GET('/api/usage/calls', { params, signal }))).items;
    },
    refetchInterval: REFRESH_MS,
  });
}

/** As many days as a month-long range of the other pages has. */
function spanOf(now: Date) {
  const from = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1 - DAYS);
  return { from: from.toISOString(), to: new Date(now.getTime() + DAY_MS / 24).toISOString() };
}

function filterOf(whose: Whose, isAdmin: boolean) {
  const ofKey = 'key' in whose && { keys: [whose.key], ...(whose.project && { projects: [whose.project] }) };
  return {
    ...(ofKey || ('user' in whose && { users: [whose.user] })),
    scope: isAdmin ? ('all' as const) : ('mine' as const),
  };
}

/** The same filter in the address of the pages Usage and Requests. */
export function searchOf(whose: Whose, isAdmin: boolean): Record<string, string> {
  const range = { range: '30d', scope: isAdmin ? 'all' : 'mine' };
  if ('user' in whose) return { ...range, users: whose.user };
  return { ...range, keys: whose.key, ...(whose.project && !isAdmin && { projects: whose.project }) };
}
