import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { SearchParams } from './search-params';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The name of the drawer that this entry opened. */
    opened?: string;
  }
}

/**
 * What a drawer shows, as an entry of the browser's history: Back shuts it, and shutting it leaves no entry behind that
 * Back would open again.
 */
export function useUrlDrawer(name: string): [id: string | null, open: (id: string) => void, close: () => void] {
  const values: SearchParams = useSearch({ strict: false });
  const navigate = useNavigate();
  const router = useRouter();
  const open = useCallback(
    (id: string) => {
      void navigate({
        to: '.',
        search: (previous: SearchParams) => ({ ...previous, [name]: id }),
        state: { opened: name },
        resetScroll: false,
      });
    },
    [navigate, name],
  );
  const close = useCallback(() => {
    if (router.state.location.state.opened === name) return router.history.back();
    void navigate({
      to: '.',
      search: (previous: SearchParams) => ({ ...previous, [name]: undefined }),
      replace: true,
      resetScroll: false,
    });
  }, [navigate, router, name]);
  return [values[name] ?? null, open, close];
}
