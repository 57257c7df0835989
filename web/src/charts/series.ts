const NAME = 'series-colors';
const MAX = 300;

let known: Map<string, number> | undefined;

/** The colors that items have in this browser, by their id. */
export function knownSlots(): Map<string, number> {
  known ??= new Map(stored());
  return known;
}

/** Stored for the next visit; if there are many items, only the newest. */
function rememberSlots(slots: ReadonlyMap<string, number>): void {
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

/** Groups with their own series; the others share one. */
export const MAX_SERIES = 8;

/** A group of a chart: its color and, for lines, its dashes are unique, so that it can be recognized without color. */
export interface Series {
  /** The group's id. */
  id: string;
  label: string;
  color: string;
  dashes: string;
  /** One value for each point of the axis; null if there is none. */
  values: readonly (number | null)[];
}

type Look = Pick<Series, 'color' | 'dashes'>;

/** One for each series that a chart can have. */
const STYLES = MAX_SERIES;
const DASHES = ['0', '7 3', '2 3', '10 3 2 3', '4 2', '1 3', '12 4', '6 2 2 2'];

/** Statuses have the color of their meaning. */
const MEANINGS: Readonly<Record<string, Look>> = {
  settled: { color: 'var(--console-good)', dashes: '0' },
  failed: { color: 'var(--console-bad)', dashes: '7 3' },
  aborted: { color: 'var(--series-rest)', dashes: '2 3' },
  interrupted: { color: 'color-mix(in oklab, var(--console-bad) 66%, var(--series-deep))', dashes: '4 2' },
  refused: { color: 'var(--console-warn)', dashes: '10 3 2 3' },
  open: { color: 'var(--console-accent)', dashes: '1 3' },
};

export const REST_LOOK: Look = { color: 'var(--series-rest)', dashes: '0' };

/**
 * The styles of the items of one view. An item's id determines its style, so it looks the same in every view, whatever
 * its rank. If another item already has that style, the item gets the next free one, which this browser remembers.
 */
export function looksOf(ids: readonly string[]): ReadonlyMap<string, Look> {
  const known = knownSlots();
  const taken = new Set<number>();
  const plain = ids
    .filter((id) => !MEANINGS[id])
    .sort((a, b) => Number(known.has(b)) - Number(known.has(a)) || (a < b ? -1 : 1));
  for (const id of plain) {
    const slot = slotFor(id, taken, known);
    taken.add(slot);
    known.set(id, slot);
  }
  rememberSlots(known);
  return new Map(ids.map((id) => [id, MEANINGS[id] ?? lookAt(known.get(id) ?? 0)]));
}

/** The item's own slot, else the next one that no other item has, else the next one that is free in this view. */
function slotFor(id: string, taken: ReadonlySet<number>, known: ReadonlyMap<string, number>): number {
  const first = known.get(id) ?? hashOf(id) % STYLES;
  const slots = Array.from({ length: STYLES }, (_, step) => (first + step) % STYLES);
  const free = slots.filter((slot) => !taken.has(slot));
  if (known.has(id) && free.includes(first)) return first;
  const used = new Set(known.values());
  return free.find((slot) => !used.has(slot)) ?? free[0] ?? first;
}

function lookAt(slot: number): Look {
  return { color: `var(--series-${slot + 1})`, dashes: DASHES[slot] ?? '0' };
}

/** FNV-1a with its bits mixed once more, so that similar short ids get different values. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return (hash ^ (hash >>> 16)) >>> 0;
}
