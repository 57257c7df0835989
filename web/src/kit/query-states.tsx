import { Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './error-state';

interface QueryStatesProps<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isFetching' | 'refetch'>;
  /** Shown while the first response is loading. */
  skeleton?: ReactNode;
  children: (data: T) => ReactNode;
}

/** The states of a query: its data as soon as there is some, before that a skeleton or the error. */
export function QueryStates<T>({ query, skeleton, children }: QueryStatesProps<T>) {
  const { data, error, isFetching, refetch } = query;
  if (data !== undefined) return children(data);
  if (error) return <ErrorState error={error} isRetrying={isFetching} onRetry={() => refetch()} />;
  return (
    <div role="status" aria-busy="true" aria-label="Loading">
      {skeleton ?? <LineSkeletons />}
    </div>
  );
}

function LineSkeletons() {
  return (
    <Stack gap="sm">
      <Skeleton h={18} w="60%" />
      <Skeleton h={18} w="85%" />
      <Skeleton h={18} w="40%" />
    </Stack>
  );
}
