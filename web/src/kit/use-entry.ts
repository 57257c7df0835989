import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';

/** Enters the console after a sign-in; nothing of the previous person is kept. */
export function useEntry(): (to?: string) => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useCallback(
    (to = '/') => {
      queries.clear();
      return navigate({ href: to, replace: true });
    },
    [queries, navigate],
  );
}
