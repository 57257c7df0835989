/** Groups with their own series; the others share one. */
export const MOST_SERIES = 8;

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

const HUES = 8;
/** Each hue has a plain and a deep variant, for when another item of the view uses the plain one. */
const LOOKS = 2 * HUES;
const DASHES = [
  ...['0', '7 3', '2 3', '10 3 2 3', '4 2', '1 3', '12 4', '6 2 2 2'],
  ...['16 2', '5 5', '3 6', '9 2 2 2 2 2', '14 3 4 3', '1 6', '7 7', '3 2 8 2'],
];

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

/** The style of each item since the page was loaded. */
const given = new Map<string, number>();

/**
 * The styles of the items of one view. An item's id determines its style, so it looks the same in every view, whatever
 * its rank. If two items of a view would look the same, one of them takes the next style and keeps it.
 */
export function looksOf(ids: readonly string[]): ReadonlyMap<string, Look> {
  const taken = new Set<number>();
  const plain = ids
    .filter((id) => !MEANINGS[id])
    .sort((a, b) => Number(given.has(b)) - Number(given.has(a)) || (a < b ? -1 : 1));
  for (const id of plain) {
    const slot = slotsFrom(given.get(id) ?? hashOf(id) % HUES).find((one) => !taken.has(one)) ?? 0;
    taken.add(slot);
    given.set(id, slot);
  }
  return new Map(ids.map((id) => [id, MEANINGS[id] ?? lookAt(given.get(id) ?? 0)]));
}

/** This style, its other variant, and then the following hues. */
function slotsFrom(first: number): number[] {
  return Array.from({ length: LOOKS }, (_, step) => {
    const hue = (first + Math.floor(step / 2)) % HUES;
    return step % 2 === Math.floor(first / HUES) ? hue : hue + HUES;
  });
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
