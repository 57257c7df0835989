/** Groups with their own series; the others share one. */
export const MAX_SERIES = 8;

/** A group of a chart. Its color together with its texture and dashes is unique within the chart. */
export interface Series {
  /** The group's id. */
  id: string;
  label: string;
  color: string;
  /** Of bars: 0 is plain, the others are stripes; series of the same color have different ones. */
  texture: number;
  /** Of lines. */
  dashes: string;
  /** The CSS background of a sample beside the label. */
  swatch: string;
  /** One value for each point of the axis; null if there is none. */
  values: readonly (number | null)[];
}

type Look = Pick<Series, 'color' | 'texture' | 'dashes' | 'swatch'>;

const DASHES = ['0', '7 3', '2 3', '10 3 2 3', '4 2', '1 3', '12 4', '6 2 2 2'];

/** The directions of the stripes of textures 1, 2 and 3, in degrees. */
export const STRIPES: readonly number[] = [45, 135, 90];

function lookOf(color: string, texture: number, dashes = DASHES[0] ?? '0'): Look {
  const angle = STRIPES[texture - 1];
  const gap = 'var(--mantine-color-body)';
  const swatch =
    angle === undefined ? color : `repeating-linear-gradient(${angle}deg, ${color} 0 2px, ${gap} 2px 3.5px)`;
  return { color, texture, dashes, swatch };
}

/** Statuses have the color of their meaning. */
const MEANINGS: Readonly<Record<string, Look>> = {
  settled: lookOf('var(--console-good)', 0),
  failed: lookOf('var(--console-bad)', 0, '7 3'),
  aborted: lookOf('var(--series-rest)', 0, '2 3'),
  interrupted: lookOf('color-mix(in oklab, var(--console-bad) 66%, var(--mantine-color-text))', 0, '4 2'),
  refused: lookOf('var(--console-warn)', 0, '10 3 2 3'),
  open: lookOf('var(--console-accent)', 0, '1 3'),
};

export const REST_LOOK: Look = lookOf('var(--series-rest)', 0);

/**
 * The looks of the items of one view. An item's id alone determines its color, so it is the same for everyone and on all
 * pages. Items of a view with the same color differ by their texture and dashes, in the order of their ids.
 */
export function looksOf(ids: readonly string[]): ReadonlyMap<string, Look> {
  const used = new Map<number, number>();
  const looks = [...ids].sort().map((id) => {
    const slot = hashOf(id) % MAX_SERIES;
    const texture = used.get(slot) ?? 0;
    if (!MEANINGS[id]) used.set(slot, texture + 1);
    const dashes = DASHES[(slot + texture) % DASHES.length];
    return [id, MEANINGS[id] ?? lookOf(`var(--series-${slot + 1})`, texture % (STRIPES.length + 1), dashes)] as const;
  });
  return new Map(looks);
}

/** Gives the models of the shipped catalog, and above all its most used ones, different colors as far as possible. */
const SEED = 0x823a;

/** FNV-1a with its bits mixed once more, so that similar short ids get different values. */
function hashOf(text: string): number {
  let hash = SEED;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return (hash ^ (hash >>> 16)) >>> 0;
}
