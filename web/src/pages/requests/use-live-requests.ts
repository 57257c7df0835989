import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { isGrowing } from '../../kit/range';
import { gatewayStatusQuery } from '../../shell/gateway-banner';
import { freshOf, mergedPages } from './merged-pages';
import { type Call, type CallPage, NEWEST_MS, newestQuery, requestsQuery } from './requests-queries';
import type { RequestsSearch } from './use-requests-search';

/** Further down, new rows would move what someone reads. */
const TOP_PX = 120;

/**
 * The list of requests. While its range is not over, new ones appear at its top by themselves; someone who has scrolled
 * down, or looks at a past span, gets their number instead.
 */
export function useLiveRequests(search: RequestsSearch) {
  const client = useQueryClient();
  const list = useInfiniteQuery(requestsQuery(search));
  const isLive = isGrowing(search.range, new Date());
  const isDue = useIsDue(list.isSuccess);
  const [openedAt] = useState(() => new Date());
  const isAtTop = useIsAtTop();
  const newest = useQuery({ ...newestQuery(search, openedAt), enabled: isLive && isDue });
  const isPast = search.span !== null;
  const { data: trouble } = useQuery({ ...gatewayStatusQuery, enabled: false });
  const { data: page } = newest;
  const merge = useCallback(
    (withFresh: boolean) => {
      if (!page || isPast) return;
      client.setQueryData(requestsQuery(search).queryKey, (pages) => pages && mergedPages(pages, page, withFresh));
    },
    [client, search, page, isPast],
  );
  const fresh = page && list.data ? freshOf(list.data, page) : [];
  const hasPending = fresh.length > 0 && (isPast || !isAtTop);
  useEffect(() => {
    if (!hasPending) merge(true);
  }, [merge, hasPending]);
  return {
    list,
    isLive,
    /** New requests that are not in the list; null if there are none. */
    pending: hasPending ? { count: fresh.length, isAll: isWhole(page, fresh.length) } : null,
    showPending: () => {
      merge(true);
      window.scrollTo({ top: 0 });
    },
    /** The time of the list itself. */
    upToDateAt: list.data?.pages[0]?.upToDateAt ?? null,
    isRefreshing: newest.isFetching,
    /** The gateway does not answer; then nothing new can be loaded. */
    isPaused: isLive && trouble?.isDown === true,
    hasFailed: newest.isError,
  };
}

/** The list itself is the newest at first. */
function useIsDue(isLoaded: boolean): boolean {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    if (!isLoaded) return;
    const timer = setTimeout(() => setDue(true), NEWEST_MS);
    return () => clearTimeout(timer);
  }, [isLoaded]);
  return isDue;
}

/** Whether no other new requests follow those of the page. */
function isWhole(page: CallPage | undefined, fresh: number): boolean {
  return page !== undefined && (page.next === null || fresh < page.items.length);
}

export type LiveRequests = ReturnType<typeof useLiveRequests>;

function useIsAtTop(): boolean {
  const [isAtTop, setAtTop] = useState(true);
  useEffect(() => {
    const look = () => setAtTop(window.scrollY < TOP_PX);
    look();
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  return isAtTop;
}

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
