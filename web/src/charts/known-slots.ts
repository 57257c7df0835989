const NAME = 'series-colors';
const MAX = 300;

let known: Map<string, number> | undefined;

/** The colors that items have in this browser, by their id. */
export function knownSlots(): Map<string, number> {
  known ??= new Map(stored());
  return known;
}

/** Stored for the next visit; if there are many items, only the newest. */
export function rememberSlots(slots: ReadonlyMap<string, number>): void {
  try {
    const text = JSON.stringify([...slots].slice(-MAX));
    if (text !== localStorage.getItem(NAME)) localStorage.setItem(NAME, text);
  } catch {
    // Without storage an item keeps its color until the page is loaded again.
  }
}

function stored(): [string, number][] {
  try {
    const entries: unknown = JSON.parse(localStorage.getItem(NAME) ?? '[]');
    return Array.isArray(entries) ? entries.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(entry: unknown): entry is [string, number] {
  return Array.isArray(entry) && typeof entry[0] === 'string' && Number.isInteger(entry[1]);
}
