import { describe, expect, it } from '@jest/globals';
import { freshOf, mergedPages } from './merged-pages';
import type { Call, CallPage } from './requests-queries';

const call = (minute: number, status: Call['status'] = 'settled') =>
  ({ id: `call-${minute}`, startedAt: `2026-11-24T10:${String(minute).padStart(2, '0')}:00Z`, status }) as Call;
const page = (items: Call[], next: string | null = 'more', upToDateAt = '2026-11-24T10:30:00Z'): CallPage => ({
  items,
  next,
  upToDateAt,
  searchedTo: null,
});
const pagesOf = (...pages: CallPage[]) => ({ pages, pageParams: pages.map(() => undefined) });
const idsOf = ({ pages }: { pages: CallPage[] }) => pages.map(({ items }) => items.map(({ id }) => id));

describe('the newest page of a list', () => {
  const before = pagesOf(page([call(9), call(8, 'open')]), page([call(7)], null));

  it('adds new requests before the others, and updates those that it has', () => {
    const newest = page([call(11), call(9), call(8)], 'more', '2026-11-24T10:31:00Z');
    const merged = mergedPages(before, newest, true);
    expect(idsOf(merged)).toEqual([['call-11', 'call-9', 'call-8'], ['call-7']]);
    expect(merged.pages[0]?.items[2]?.status).toBe('settled');
    expect(merged.pages[0]?.upToDateAt).toBe('2026-11-24T10:31:00Z');
  });

  it('adds a request that is reported late at its position', () => {
    const newest = page([call(11), call(10), call(9), call(8)]);
    const merged = mergedPages(pagesOf(page([call(11), call(9), call(8)])), newest, true);
    expect(idsOf(merged)).toEqual([['call-11', 'call-10', 'call-9', 'call-8']]);
  });

  it('only counts new requests while someone reads further down', () => {
    const newest = page([call(11), call(9), call(8)]);
    expect(freshOf(before, newest).map(({ id }) => id)).toEqual(['call-11']);
    expect(idsOf(mergedPages(before, newest, false))).toEqual([['call-9', 'call-8'], ['call-7']]);
  });

  it('replaces the list when there may be more new requests between them', () => {
    const newest = page([call(20), call(19)]);
    expect(idsOf(mergedPages(before, newest, true))).toEqual([['call-20', 'call-19']]);
  });

  it('removes a request that no longer matches', () => {
    expect(idsOf(mergedPages(before, page([call(9), call(7)]), true))).toEqual([['call-9'], ['call-7']]);
    expect(idsOf(mergedPages(before, page([], null), true))).toEqual([[], []]);
  });
});
