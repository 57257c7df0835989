import type { InfiniteData } from '@tanstack/react-query';
import type { Call, CallPage } from './requests-queries';

type Pages = InfiniteData<CallPage>;

/** The requests of the newest page that the list does not have yet. */
export function freshOf(pages: Pages, newest: CallPage): Call[] {
  const known = new Set(pages.pages.flatMap(({ items }) => items.map(({ id }) => id)));
  return newest.items.filter(({ id }) => !known.has(id));
}

/** The list with the newest page: its requests as they are now, and, if wanted, new ones before the others. */
export function mergedPages(pages: Pages, newest: CallPage, withFresh: boolean): Pages {
  const fresh = freshOf(pages, newest);
  // There are more new ones than a page has, so that others would be missing between them and the list.
  if (withFresh && fresh.length > 0 && fresh.length === newest.items.length && newest.next !== null)
    return { pages: [newest], pageParams: [undefined] };
  const present = new Map(newest.items.map((item) => [item.id, item]));
  const isGone = goneFrom(newest, present);
  const [first, ...others] = pages.pages.map((page) => ({
    ...page,
    items: page.items.filter((item) => !isGone(item)).map((item) => present.get(item.id) ?? item),
  }));
  if (!first) return pages;
  const all = withFresh ? byTime([...fresh, ...first.items]) : first.items;
  return { ...pages, pages: [{ ...first, items: all, upToDateAt: newest.upToDateAt }, ...others] };
}

/** The newest page has every request of its time that matches: others of that time have changed, for example ended. */
function goneFrom({ items, next }: CallPage, present: ReadonlyMap<string, Call>): (call: Call) => boolean {
  const oldest = next === null ? '' : (items.at(-1)?.startedAt ?? null);
  return ({ id, startedAt }) => oldest !== null && startedAt > oldest && !present.has(id);
}

/** Refused requests are listed a moment later than calls, in their place. */
function byTime(items: Call[]): Call[] {
  return items.toSorted((a, b) =>
    a.startedAt < b.startedAt ? 1 : a.startedAt > b.startedAt ? -1 : a.id < b.id ? 1 : -1,
  );
}
