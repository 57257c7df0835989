import type { ListTotal } from '../../database/lists/counted.js';
import { cursorOfPlace, type ListPlace } from '../../database/lists/list-place.js';
import { itemsThatFit } from './items-that-fit.js';

interface ListWork<Found, View> {
  /** The cursor of the request. */
  readonly cursor: string | undefined;
  readonly limit: number;
  /** The list's first rows after the cursor; one more than the limit, if there are as many. */
  readonly found: readonly Found[];
  readonly toViews: (found: readonly Found[]) => Promise<View[]>;
  readonly count: () => Promise<ListTotal>;
}

/** A page of a list. A list that fits into one page is not counted again. */
export async function listPage<Found extends { readonly place: ListPlace }, View>({
  cursor,
  limit,
  found,
  toViews,
  count,
}: ListWork<Found, View>): Promise<{ items: View[]; next: string | null; total: ListTotal | null }> {
  const isFirst = cursor === undefined;
  const isWhole = found.length <= limit;
  const [views, counted] = await Promise.all([
    toViews(found.slice(0, limit)),
    isFirst && !isWhole ? count() : { count: found.length, isExact: true },
  ]);
  const items = itemsThatFit(views);
  const last = found[items.length - 1];
  const next = last && items.length < found.length ? cursorOfPlace(last.place) : null;
  return { items, next, total: isFirst ? counted : null };
}
