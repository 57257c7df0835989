import { useEffect, useState } from 'react';
import { GatewayStatus } from './gateway-status';

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
