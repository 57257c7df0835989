import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { disownPage } from '../api/page-owner';

/** Enters the console after a sign-in; nothing of the previous person is kept. */
export function useEntry(): (to?: string) => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useCallback(
    (to = '/') => {
      disownPage();
      queries.clear();
      return navigate({ href: to, replace: true });
    },
    [queries, navigate],
  );
}
