import TriangleAlert from 'icon:triangle-alert';
import { Alert } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { readStatus } from './read-status';

const BACK = 'gateway-back';

/** Tells every page that the gateway can be reached again. */
function announceGatewayBack(): void {
  window.dispatchEvent(new Event(BACK));
}

/** Calls back when the gateway can be reached again. */
export function useGatewayBack(onBack: () => void): void {
  const latest = useRef(onBack);
  useEffect(() => {
    latest.current = onBack;
  });
  useEffect(() => {
    const listener = () => latest.current();
    window.addEventListener(BACK, listener);
    return () => window.removeEventListener(BACK, listener);
  }, []);
}

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
function GatewayStatus() {
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

/** The delay after which a page has usually loaded its content. */
const SETTLED_MS = 2000;

/** A page's place for the gateway's status; empty while nothing is wrong. */
export function GatewayBanner({ className }: { className?: string }) {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(setSettled, SETTLED_MS, true);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" className={className}>
      {isSettled && <GatewayStatus />}
    </div>
  );
}
