import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { components } from '../../api/schema';

export type BudgetStanding = components['schemas']['BudgetStandingView'];

const REFRESH_MS = 30_000;

export const budgetsQuery = queryOptions({
  queryKey: ['budgets'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/budgets', { signal })),
  staleTime: 0,
  refetchInterval: REFRESH_MS,
});
