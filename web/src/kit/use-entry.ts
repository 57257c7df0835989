import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { clearPageOwner } from '../api/page-owner';

/** Opens the console after a sign-in and removes all data of the previous person. */
export function useEntry(): (to?: string) => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useCallback(
    (to = '/') => {
      clearPageOwner();
      queries.clear();
      return navigate({ href: to, replace: true });
    },
    [queries, navigate],
  );
}
