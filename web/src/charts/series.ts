/** How many groups a chart shows singly; the others are one series. */
export const MOST_SERIES = 8;

/** A group of a chart: its color and, for lines, its dashes are its own, so that it is told apart without color, too. */
export interface Series {
  /** Of the group that it stands for. */
  id: string;
  label: string;
  color: string;
  dashes: string;
  /** One value for each point of the axis; null where there is none to show. */
  values: readonly (number | null)[];
}

type Look = Pick<Series, 'color' | 'dashes'>;

const HUES = 8;
/** Each hue is there plain, and deep where another thing of the view has it already. */
const LOOKS = 2 * HUES;
const DASHES = [
  ...['0', '7 3', '2 3', '10 3 2 3', '4 2', '1 3', '12 4', '6 2 2 2'],
  ...['16 2', '5 5', '3 6', '9 2 2 2 2 2', '14 3 4 3', '1 6', '7 7', '3 2 8 2'],
];

/** What has a meaning has the color of that. */
const MEANINGS: Readonly<Record<string, Look>> = {
  settled: { color: 'var(--console-good)', dashes: '0' },
  failed: { color: 'var(--console-bad)', dashes: '7 3' },
  aborted: { color: 'var(--series-rest)', dashes: '2 3' },
  interrupted: { color: 'var(--console-warn)', dashes: '4 2' },
  open: { color: 'var(--console-accent)', dashes: '1 3' },
};

export const REST_LOOK: Look = { color: 'var(--series-rest)', dashes: '0' };

/** Which look a thing was given since the page was loaded. */
const given = new Map<string, number>();

/**
 * The looks of the things of one view. A thing looks alike in every view, whatever its rank: its id says how. Only where
 * two things of one view would look the same does one of them take the next look, and keeps that.
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

/** This one, its hue the other way, and then the hues behind it. */
function slotsFrom(first: number): number[] {
  return Array.from({ length: LOOKS }, (_, step) => {
    const hue = (first + Math.floor(step / 2)) % HUES;
    return step % 2 === Math.floor(first / HUES) ? hue : hue + HUES;
  });
}

function lookAt(slot: number): Look {
  return { color: `var(--series-${slot + 1})`, dashes: DASHES[slot] ?? '0' };
}

/** FNV-1a, with its bits mixed once more: short ids that differ in a letter lie apart. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return (hash ^ (hash >>> 16)) >>> 0;
}
