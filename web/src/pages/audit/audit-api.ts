import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { components, paths } from '../../api/schema';

export type AuditEntry = components['schemas']['AuditEntryView'];
export type AuditQuery = NonNullable<paths['/api/audit']['get']['parameters']['query']>;
export type AuditFilter = Omit<AuditQuery, 'cursor'>;

export function auditQuery(filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: ['audit', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      unwrap(
        api.GET('/api/audit', { params: { query: { ...filter, ...(cursor !== undefined && { cursor }) } }, signal }),
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: 0,
  });
}

export const actionsQuery = queryOptions({
  queryKey: ['audit', 'actions'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/audit/actions', { signal })),
});

/** The address of the export of all matching entries. */
export function exportAddress(filter: AuditFilter, format: 'csv' | 'json'): string {
  const given = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `/api/audit/export?${new URLSearchParams([['format', format], ...given])}`;
}
