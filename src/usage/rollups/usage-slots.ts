const QUARTER_MS = 15 * 60_000;

/** How many quarter-hours a roll-up spans: 8 days, a day, 6 hours, an hour or one, all cut in UTC, counted from 1970. */
export const ROLLUP_SIZES = [768, 96, 24, 4, 1] as const;

/** The quarter-hour (UTC, counted from 1970) that an instant is in. */
export function slotOf(instant: Date): number {
  return Math.floor(instant.getTime() / QUARTER_MS);
}

/** The first quarter-hour that begins no earlier than an instant. */
export function slotFrom(instant: Date): number {
  return Math.ceil(instant.getTime() / QUARTER_MS);
}

export function startOfSlot(slot: number): Date {
  return new Date(slot * QUARTER_MS);
}

/** Stretches of time, each from its slot until before the next one's, the last until before `end`. */
export interface Cells {
  starts: readonly number[];
  end: number;
}

/** Roll-ups of one size, and the cells that they are parts of. */
export interface Blocks {
  cells: number[];
  slots: number[];
}

/** The fewest roll-ups that add up to each of the cells, whatever quarter-hours those begin at; by their size. */
export function blocksOf({ starts, end }: Cells): Map<number, Blocks> {
  const blocks = new Map<number, Blocks>();
  for (const [cell, start] of starts.entries()) {
    const before = Math.min(starts[cell + 1] ?? end, end);
    for (let slot = start; slot < before; ) {
      const size = ROLLUP_SIZES.find((one) => slot % one === 0 && slot + one <= before) ?? 1;
      const ofSize = blocks.get(size) ?? { cells: [], slots: [] };
      blocks.set(size, ofSize);
      ofSize.cells.push(cell);
      ofSize.slots.push(slot);
      slot += size;
    }
  }
  return blocks;
}

/** The cell that a slot is in; -1 when it is in none. */
export function cellOf(slot: number, { starts, end }: Cells): number {
  if (slot >= end) return -1;
  return starts.findLastIndex((start) => start <= slot);
}
