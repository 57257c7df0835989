import { useEffect, useRef } from 'react';

const BACK = 'gateway-back';

/** Tells every page that the gateway can be reached again. */
export function announceGatewayBack(): void {
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
