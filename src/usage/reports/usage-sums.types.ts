import type { Cells } from '../rollups/usage-slots.js';
import type { UsageDimension, UsageFilter } from './usage-report.types.js';
import type { SumsRow } from './usage-tally.js';

/** What of the sums is asked for. */
export interface SumsQuestion extends UsageFilter {
  cells: Cells;
  groupBy: UsageDimension | null;
  /** Only these groups. */
  only?: readonly (string | null)[];
  /** The names are ids, which the database adds up faster by than by text. */
  namesAs?: 'uuid';
}

export interface Sums extends SumsRow {
  /** -1: to be taken away. */
  sign: 1 | -1;
  cell: number;
  /** The group; null also where there are none. */
  name: string | null;
}
