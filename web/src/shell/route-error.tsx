import TriangleAlert from 'icon:triangle-alert';
import { Box, Button } from '@mantine/core';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { EmptyState } from '../kit/empty-state';
import { ErrorState } from '../kit/error-state';

/** A page that failed. If its code could not be loaded, the gateway may have been updated. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  if (isMissingCode(error)) {
    return (
      <Box p="xl">
        <EmptyState
          icon={TriangleAlert}
          title="This page could not be loaded"
          action={<Button onClick={() => window.location.reload()}>Reload</Button>}
        >
          You may be offline, or the gateway has been updated since you opened the console.
        </EmptyState>
      </Box>
    );
  }
  const retry = () => {
    queries.reset();
    reset();
    void router.invalidate();
  };
  return (
    <Box p="xl">
      <ErrorState error={error} onRetry={retry} />
    </Box>
  );
}

function isMissingCode(error: unknown): boolean {
  const message = error instanceof Error ? error.message : '';
  return /dynamically imported module|module script failed|error loading dynamically|preload CSS/i.test(message);
}
