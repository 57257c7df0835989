import { useEffect, useState } from 'react';
import { readTab, writeTab } from './tab-memory';

/**
 * The token of a one-time link. It is after the `#`, where no proxy logs it, and is removed from the address bar
 * immediately. The tab remembers it, so that a reload shows the same page.
 */
export function useAddressToken(): string {
  const [token, setToken] = useState(() => tokenInAddress() || (readTab(nameInTab()) ?? ''));
  useEffect(() => {
    const take = () => {
      const found = tokenInAddress();
      if (found === '') return;
      setToken(found);
      writeTab(nameInTab(), found);
      window.history.replaceState(window.history.state, '', window.location.pathname);
    };
    take();
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, []);
  return token;
}

function tokenInAddress(): string {
  return window.location.hash.slice(1);
}

/** Forgets the token after its use. */
export function forgetAddressToken(): void {
  writeTab(nameInTab(), null);
}

function nameInTab(): string {
  return `token-of-${window.location.pathname}`;
}
