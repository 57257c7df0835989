import Compass from 'icon:compass';
import TriangleAlert from 'icon:triangle-alert';
import { Box, Button, Center, Loader, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { Page } from '../kit/page';
import { EmptyState, ErrorState } from '../kit/states';
import { GatewayBanner, useGatewayBack } from './gateway-banner';

/** Shown while a page's code is loading. */
export function PageSkeleton() {
  return (
    <Box aria-busy="true" aria-label="Loading" role="status">
      <Stack gap="lg" maw="76rem" mx="auto">
        <Skeleton h={26} w={180} />
        <Skeleton h={14} w="min(26rem, 80%)" />
        <Skeleton h={260} radius="lg" />
      </Stack>
    </Box>
  );
}

/** Shown before it is known who is signed in. */
export function PendingShell() {
  return (
    <Center h="100vh" component="main" role="status">
      <VisuallyHidden>Loading</VisuallyHidden>
      <Loader size="sm" type="dots" />
    </Center>
  );
}

export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <EmptyState
        icon={Compass}
        title="This page does not exist"
        action={
          <Button component={Link} to="/">
            Go to the overview
          </Button>
        }
      >
        The address may be mistyped, or your role has no access to the page.
      </EmptyState>
    </Page>
  );
}

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
