import type { ListTotal } from '../../database/lists/counted.js';
import { cursorOfPlace, type ListPlace } from '../../database/lists/list-place.js';
import { fitting } from './fitting.js';

interface ListWork<Found, View> {
  /** The cursor that the page was asked for with. */
  readonly cursor: string | undefined;
  readonly limit: number;
  /** The first of the list's rows behind the cursor; one more than the limit, where there are so many. */
  readonly found: readonly Found[];
  readonly toViews: (found: readonly Found[]) => Promise<View[]>;
  readonly count: () => Promise<ListTotal>;
}

/** A page of a list. What is counted already by being shown whole is not counted again. */
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
  const items = fitting(views);
  const last = found[items.length - 1];
  const next = last && items.length < found.length ? cursorOfPlace(last.place) : null;
  return { items, next, total: isFirst ? counted : null };
}
