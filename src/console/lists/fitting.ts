/** The most characters of a page's items; the rest of a megabyte is for the surrounding answer. */
const MOST_CHARACTERS = 700_000;

/** As many of the first items as fit into an answer; at least one. */
export function fitting<Item>(items: readonly Item[]): Item[] {
  let left = MOST_CHARACTERS;
  const end = items.findIndex((item, index) => {
    left -= JSON.stringify(item).length;
    return left < 0 && index > 0;
  });
  return items.slice(0, end < 0 ? items.length : end);
}
