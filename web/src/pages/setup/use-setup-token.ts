import { useEffect, useState } from 'react';

/** The token of the set-up link, which is taken out of the address bar at once. */
export function useSetupToken(): string {
  const [token] = useState(() => new URLSearchParams(window.location.search).get('token') ?? '');
  useEffect(() => {
    if (window.location.search !== '') {
      window.history.replaceState(window.history.state, '', window.location.pathname);
    }
  }, []);
  return token;
}
