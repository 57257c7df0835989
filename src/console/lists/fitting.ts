/** The most characters of a page's items; the rest of a megabyte is for the answer around them. */
const MOST_CHARACTERS = 700_000;

/** The first of the items, as many as fit into an answer: one at least. */
export function fitting<Item>(items: readonly Item[]): Item[] {
  let left = MOST_CHARACTERS;
  const end = items.findIndex((item, index) => {
    left -= JSON.stringify(item).length;
    return left < 0 && index > 0;
  });
  return items.slice(0, end < 0 ? items.length : end);
}
