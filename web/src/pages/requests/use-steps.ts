import { useEffect } from 'react';
import type { Call } from './requests-queries';
import type { LiveRequests } from './use-live-requests';

export interface Steps {
  /** Null at the start of the list. */
  previous: (() => void) | null;
  next: (() => void) | null;
}

/** The requests before and after the open one, in the order of the list, which loads more at its end. */
export function useSteps(
  calls: readonly Call[] | undefined,
  { hasNextPage, isFetchingNextPage, fetchNextPage }: LiveRequests['list'],
  openId: string | null,
  show: (id: string) => void,
): Steps {
  const at = calls?.findIndex(({ id }) => id === openId) ?? -1;
  const isLast = calls !== undefined && at === calls.length - 1;
  useEffect(() => {
    if (at >= 0 && isLast && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [at, isLast, hasNextPage, isFetchingNextPage, fetchNextPage]);
  const to = (index: number) => {
    const id = at < 0 ? undefined : calls?.[index]?.id;
    return id === undefined ? null : () => show(id);
  };
  return { previous: to(at - 1), next: to(at + 1) };
}
