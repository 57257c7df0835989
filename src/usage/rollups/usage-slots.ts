const QUARTER_MS = 15 * 60_000;
/** In quarter-hours. */
export const HOUR = 4;
export const DAY = 96;

/** The sizes of roll-ups in quarter-hours: 8 days, a day, 6 hours, an hour and a quarter-hour, aligned in UTC from 1970. */
export const ROLLUP_SIZES = [768, 96, 24, 4, 1] as const;

/** The quarter-hour (UTC, counted from 1970) of an instant. */
export function slotOf(instant: Date): number {
  return Math.floor(instant.getTime() / QUARTER_MS);
}

/** The first quarter-hour that starts at or after an instant. */
export function slotFrom(instant: Date): number {
  return Math.ceil(instant.getTime() / QUARTER_MS);
}

export function startOfSlot(slot: number): Date {
  return new Date(slot * QUARTER_MS);
}

/** The first quarter-hour of the hour (UTC) of a slot. */
export function hourOf(slot: number): number {
  return slot - (slot % HOUR);
}

/** The first quarter-hour of the day (UTC) of a slot. */
export function dayOf(slot: number): number {
  return slot - (slot % DAY);
}

/** From `from` until before `to`. */
export interface SlotSpan {
  from: number;
  to: number;
}

/** Time ranges: each ends where the next one starts, the last at `end` (exclusive). */
export interface Cells {
  starts: readonly number[];
  end: number;
}

export interface Blocks {
  cells: number[];
  slots: number[];
}

/** The fewest roll-ups that add up to the cells, by size. */
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

/** -1 when the slot is in no cell. */
export function cellOf(slot: number, { starts, end }: Cells): number {
  if (slot >= end) return -1;
  return starts.findLastIndex((start) => start <= slot);
}
