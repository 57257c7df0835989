import { queryOptions } from '@tanstack/react-query';
import { spanOf, type UsageGrouping } from '../../activity/activity-queries';
import { api, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import type { Scope } from '../../kit/url-state';

export type Overview = components['schemas']['OverviewView'];
export type OverviewSpan = components['schemas']['OverviewSpanView'];

const REFRESH_MS = 60_000;
const POLL_MS = 2000;

export function overviewQuery(scope: Scope) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return queryOptions({
    queryKey: ['overview', 'numbers', scope, zone],
    queryFn: ({ signal }) => unwrap(api.GET('/api/overview', { params: { query: { zone, scope } }, signal })),
    refetchInterval: REFRESH_MS,
  });
}

/** The models, keys, users or projects that cost most in the last 30 days, by day. */
export function topQuery(scope: Scope, groupBy: UsageGrouping) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return queryOptions({
    queryKey: ['overview', 'top', scope, groupBy, zone],
    queryFn: ({ signal }) => {
      const query = {
        ...spanOf(new Date()),
        zone,
        granularity: 'day',
        groupBy,
        rankBy: 'costNanodollars',
        scope,
      } as const;
      return unwrap(api.GET('/api/usage', { params: { query }, signal }));
    },
    refetchInterval: REFRESH_MS,
  });
}

/** Whether the first request has arrived; polled until then, while the page is visible. */
export const firstCallQuery = queryOptions({
  queryKey: ['overview', 'first-call'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/overview/first-call', { signal })),
  refetchInterval: ({ state }) => (state.data?.done ? false : POLL_MS),
  refetchIntervalInBackground: false,
  staleTime: 0,
});
