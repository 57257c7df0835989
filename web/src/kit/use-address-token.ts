import { useEffect, useState } from 'react';

/** The token of a one-time link: it stands behind the `#`, where no proxy logs it, and leaves the address bar at once. */
export function useAddressToken(): string {
  const [token, setToken] = useState(tokenInAddress);
  useEffect(() => {
    const take = () => {
      const found = tokenInAddress();
      if (found === '') return;
      setToken(found);
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
