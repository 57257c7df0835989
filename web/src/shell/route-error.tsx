import TriangleAlert from 'icon:triangle-alert';
import { Box, Button } from '@mantine/core';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { EmptyState } from '../kit/empty-state';
import { ErrorState } from '../kit/error-state';
import { GatewayBanner } from './gateway-banner';
import { useGatewayBack } from './use-gateway-back';

/** A page that failed. If its code could not be loaded, the gateway may have been updated. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  const retry = () => {
    queries.reset();
    reset();
    void router.invalidate();
  };
  // Browsers do not load code again that they once failed to load.
  useGatewayBack(() => (isMissingCode(error) ? window.location.reload() : retry()));
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
  return (
    <Box p="xl">
      <ErrorState error={error} onRetry={retry} />
    </Box>
  );
}

/** The same in place of the shell, which otherwise has the banner. */
export function ShellError(props: ErrorComponentProps) {
  return (
    <>
      <GatewayBanner />
      <RouteError {...props} />
    </>
  );
}

function isMissingCode(error: unknown): boolean {
  const message = error instanceof Error ? error.message : '';
  return /dynamically imported module|module script failed|error loading dynamically|preload CSS/i.test(message);
}
