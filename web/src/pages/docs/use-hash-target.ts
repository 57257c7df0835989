import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Scrolls to the place that the address names, also when its content comes later than the page. */
export function useHashTarget(): void {
  const hash = useRouterState({ select: ({ location }) => location.hash });
  useEffect(() => {
    if (hash) document.getElementById(hash)?.scrollIntoView();
  }, [hash]);
}
