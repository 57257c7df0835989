/** The maximum number of characters of a page's items; the rest of a megabyte is for the rest of the response. */
const MAX_CHARACTERS = 700_000;

/** The first items, as many as fit into a response; at least one. */
export function itemsThatFit<Item>(items: readonly Item[]): Item[] {
  let left = MAX_CHARACTERS;
  const end = items.findIndex((item, index) => {
    left -= JSON.stringify(item).length;
    return left < 0 && index > 0;
  });
  return items.slice(0, end < 0 ? items.length : end);
}
