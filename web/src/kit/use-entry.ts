import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';

/** Goes inside, as somebody who has just signed in: nothing is kept of whoever was there before. */
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
