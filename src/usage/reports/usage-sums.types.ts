import type { Cells } from '../rollups/usage-slots.js';
import type { UsageDimension, UsageFilter, UsageGrouping } from './usage-report.types.js';
import type { SumsRow } from './usage-tally.js';

export interface SumsQuestion extends UsageFilter {
  cells: Cells;
  groupBy: UsageDimension | null;
  only?: readonly (string | null)[];
  /** The names are UUIDs, which the database aggregates faster than text. */
  namesAs?: 'uuid';
  /** Also count refused requests. */
  withRefused?: boolean;
}

/** A question that can also be grouped by project. */
export interface GroupedQuestion extends Omit<SumsQuestion, 'groupBy' | 'namesAs'> {
  groupBy: UsageGrouping | null;
}

export type Sums = SumsRow & {
  /** -1: to subtract. */
  sign: 1 | -1;
  cell: number;
  /** The group; also null without grouping. */
  name: string | null;
};
