import RotateCw from 'icon:rotate-cw';
import TriangleAlert from 'icon:triangle-alert';
import { Button, Skeleton, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError, messageOf } from '../api/api-error';
import type { Icon } from '../icons/icon';
import { RequestId } from './copy-button';

interface EmptyStateProps {
  icon: Icon;
  title: string;
  /** Why it is empty, and what to do about it. */
  children?: ReactNode;
  action?: ReactNode;
}

/** Explains why there are no items, and the next step. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py={56} px="md" ta="center">
      <ThemeIcon size={44} radius="lg" variant="light" color="gray" mb={4}>
        <Icon size={21} strokeWidth={1.75} aria-hidden="true" />
      </ThemeIcon>
      <Title order={2} size="h2">
        {title}
      </Title>
      {children && (
        <Text c="dimmed" size="sm" maw={440} component="div">
          {children}
        </Text>
      )}
      {action && <div style={{ marginTop: '0.75rem' }}>{action}</div>}
    </Stack>
  );
}

interface ErrorStateProps {
  error: unknown;
  onRetry?: () => void;
  isRetrying?: boolean;
}

/** What went wrong, the request's id for support, and a button to try again. */
export function ErrorState({ error, onRetry, isRetrying }: ErrorStateProps) {
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center" role="alert">
      <ThemeIcon size={44} radius="lg" variant="light" color="red" mb={4}>
        <TriangleAlert size={21} strokeWidth={1.75} aria-hidden="true" />
      </ThemeIcon>
      <Text fw={600} size="lg">
        This could not be loaded
      </Text>
      <Text c="dimmed" size="sm" maw={480}>
        {messageOf(error)}
      </Text>
      {requestId && <RequestId id={requestId} />}
      {onRetry && (
        <Button
          variant="default"
          mt="xs"
          loading={isRetrying}
          leftSection={<RotateCw size={15} aria-hidden="true" />}
          onClick={onRetry}
        >
          Try again
        </Button>
      )}
    </Stack>
  );
}

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
  return <Loading skeleton={skeleton} />;
}

/** Shown until there is content. */
export function Loading({ skeleton }: { skeleton?: ReactNode }) {
  return (
    <div role="status" aria-busy="true" aria-label="Loading">
      {skeleton ?? (
        <Stack gap="sm">
          <Skeleton h={18} w="60%" />
          <Skeleton h={18} w="85%" />
          <Skeleton h={18} w="40%" />
        </Stack>
      )}
    </div>
  );
}
