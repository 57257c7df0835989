import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react';

/** Loaded after the page; a page works without it if its code cannot be loaded. */
const GatewayStatus = lazy(() =>
  import('./gateway-status').then(
    (module): { default: ComponentType } => ({ default: module.GatewayStatus }),
    () => ({ default: () => null }),
  ),
);

/** By then the page has loaded its content. */
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
      {isSettled && (
        <Suspense fallback={null}>
          <GatewayStatus />
        </Suspense>
      )}
    </div>
  );
}
