import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { SearchParams } from './search-params';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The name of the drawer that this history entry opened. */
    opened?: string;
  }
}

/** The content of a drawer as an entry of the browser's history: Back closes it, and closing it removes the entry. */
export function useUrlDrawer(
  name: string,
): [id: string | null, open: (id: string) => void, close: () => void, change: (id: string) => void] {
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
  /** Shows another content in the open drawer. */
  const change = useCallback(
    (id: string) => {
      void navigate({
        to: '.',
        search: (previous: SearchParams) => ({ ...previous, [name]: id }),
        state: ({ opened }) => ({ opened }),
        replace: true,
        resetScroll: false,
      });
    },
    [navigate, name],
  );
  return [values[name] ?? null, open, close, change];
}
