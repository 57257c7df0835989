import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { zoneName } from '../../kit/range';

const DAYS = 30;
const DAY_MS = 86_400_000;
const REFRESH_MS = 60_000;

/** The usage of a project in the last 30 days, by day and key. */
export function projectUsageQuery(id: string, isAdmin: boolean) {
  return queryOptions({
    queryKey: ['projects', 'usage', id],
    queryFn: ({ signal }) => {
      const to = new Date();
      const from = new Date(to.getTime() - DAYS * DAY_MS);
      const query = {
        from: from.toISOString(),
        to: to.toISOString(),
        projects: [id],
        groupBy: 'key',
        rankBy: 'costNanodollars',
        granularity: 'day',
        zone: zoneName('local'),
        ...(isAdmin && { scope: 'all' as const }),
      } as const;
      return unwrap(api.GET('/api/usage', { params: { query: { ...query, projects: [id] } }, signal }));
    },
    refetchInterval: REFRESH_MS,
  });
}
