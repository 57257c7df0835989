/** The available sums of keys, in slots. */
export interface StoredSums {
  /** The oldest sum. */
  firstSlot: number;
  /** Start of the hourly and daily sums. */
  hoursBegin: number;
  /** Hours before this slot were deleted; rows that are still there arrived after their day was built. */
  hoursStoredFrom: number;
  /** Days include the hours before this slot. */
  daysUpTo: number;
  /** The oldest call of the ledger. */
  ledgerFrom: number;
}

/** A day or hour whose sum is added to a cell (a time range of the report), or subtracted if the sign is -1. */
export interface Piece {
  cell: number;
  slot: number;
  sign: 1 | -1;
}

/** A part of an hour. */
export interface Stretch extends Piece {
  /** Exclusive. */
  end: number;
}

/** Pieces that add up to cells; `stretches` are read from the ledger. */
export interface Pieces {
  days: Piece[];
  hours: Piece[];
  /** Hours that may have rows which arrived after their day was built. */
  lateHours: Piece[];
  stretches: Stretch[];
}

/** Few days, hours and parts of hours that add up to the cells. */
export function piecesOf({ starts, end }: Cells, stored: StoredSums): Pieces {
  const pieces: Pieces = { days: [], hours: [], lateHours: [], stretches: [] };
  const limit = (slot: number) => Math.max(stored.hoursBegin, stored.firstSlot, rounded(slot, stored));
  for (const [cell, start] of starts.entries()) {
    const before = limit(starts[cell + 1] ?? end);
    for (let from = limit(start); from < before; from = dayOf(from) + DAY) {
      addDay(pieces, { cell, slot: from, end: Math.min(before, dayOf(from) + DAY), sign: 1 }, stored);
    }
  }
  return pieces;
}

/** If only daily sums are left, a day counts for the cell in which it starts. */
function rounded(slot: number, { hoursStoredFrom, ledgerFrom }: StoredSums): number {
  return slot < ledgerFrom && slot < hoursStoredFrom ? dayOf(slot) : slot;
}

function addDay(pieces: Pieces, { cell, slot, end }: Stretch, stored: StoredSums): void {
  const day = dayOf(slot);
  const made = Math.min(day + DAY, stored.daysUpTo);
  const within = Math.min(end, made) - slot;
  if (day < stored.hoursBegin || within * 2 <= made - day) {
    addHours(pieces, { cell, slot, end, sign: 1 }, stored);
    return;
  }
  pieces.days.push({ cell, slot: day, sign: 1 });
  if (day < stored.hoursStoredFrom) {
    for (let hour = day; hour < day + DAY; hour += HOUR) pieces.lateHours.push({ cell, slot: hour, sign: 1 });
  }
  addHours(pieces, { cell, slot: day, end: slot, sign: -1 }, stored);
  addHours(pieces, { cell, slot: Math.min(end, made), end: made, sign: -1 }, stored);
  addHours(pieces, { cell, slot: made, end, sign: 1 }, stored);
}

function addHours(pieces: Pieces, { cell, slot, end, sign }: Stretch, stored: StoredSums): void {
  for (let from = slot; from < end; from = hourOf(from) + HOUR) {
    const hour = hourOf(from);
    const to = Math.min(end, hour + HOUR);
    if (hour < stored.hoursStoredFrom || to - from < HOUR - 1)
      pieces.stretches.push({ cell, slot: from, end: to, sign });
    else {
      pieces.hours.push({ cell, slot: hour, sign });
      const opposite = sign === 1 ? -1 : 1;
      if (hour < from) pieces.stretches.push({ cell, slot: hour, end: from, sign: opposite });
      if (to < hour + HOUR) pieces.stretches.push({ cell, slot: to, end: hour + HOUR, sign: opposite });
    }
  }
}

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
