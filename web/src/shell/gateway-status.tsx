import TriangleAlert from 'icon:triangle-alert';
import { Alert } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { readStatus } from './read-status';
import { announceGatewayBack } from './use-gateway-back';

const POLL_MS = 3000;
/** The interval while the gateway cannot be reached. */
const SOON_MS = 1500;

/** Shared with pages that say whether they refresh. */
export const gatewayStatusQuery = queryOptions({
  queryKey: ['gateway-status'],
  queryFn: readStatus,
  networkMode: 'always',
  retry: false,
});

/**
 * Reports that the gateway cannot be reached, or another problem with it. When it works again, the page reloads its
 * data.
 */
export function GatewayStatus() {
  const { data: trouble } = useQuery({
    ...gatewayStatusQuery,
    refetchInterval: ({ state }) => (state.data?.isDown ? SOON_MS : POLL_MS),
  });
  useRefetchAfter(trouble?.isDown === true);
  if (!trouble) return null;
  return (
    <Alert icon={<TriangleAlert size={17} aria-hidden="true" />} color={trouble.isDown ? 'red' : 'yellow'}>
      {trouble.text}
    </Alert>
  );
}

function useRefetchAfter(isDown: boolean): void {
  const queries = useQueryClient();
  const wasDown = useRef(false);
  useEffect(() => {
    if (wasDown.current && !isDown) {
      void queries.invalidateQueries();
      announceGatewayBack();
    }
    wasDown.current = isDown;
  }, [isDown, queries]);
}
