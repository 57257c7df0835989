import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { components } from '../../api/schema';

export type Alert = components['schemas']['AlertView'];
export type AlertWebhook = components['schemas']['AlertWebhookView'];

/** New alerts appear without a reload. */
const REFRESH_MS = 15_000;

export const alertsQuery = infiniteQueryOptions({
  queryKey: ['alerts'],
  initialPageParam: undefined as string | undefined,
  queryFn: ({ pageParam: cursor, signal }) =>
    unwrap(api.GET('/api/alerts', { params: { query: cursor === undefined ? {} : { cursor } }, signal })),
  getNextPageParam: ({ next }) => next ?? undefined,
  staleTime: 0,
  refetchInterval: REFRESH_MS,
});

export function sendTestAlert() {
  return unwrap(api.POST('/api/alerts/test'));
}
