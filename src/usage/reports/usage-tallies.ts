import type { Sums } from './usage-sums.types.js';
import { UsageTally } from './usage-tally.js';

/** A group's id; null for calls without one. */
export type Group = string | null;

/** Leaves out groups that are now empty, for example of interrupted calls that were settled later. */
export function byGroup(rows: readonly Sums[]): Map<Group, UsageTally> {
  const groups = new Map<Group, UsageTally>();
  for (const row of rows) {
    const tally = groups.get(row.name) ?? new UsageTally();
    groups.set(row.name, tally);
    tally.addRow(row, row.sign);
  }
  return new Map([...groups].filter(([, tally]) => !tally.isEmpty));
}

export function byCell(rows: readonly Sums[]): Map<number, Map<Group, UsageTally>> {
  return new Map([...Map.groupBy(rows, ({ cell }) => cell)].map(([cell, sums]) => [cell, byGroup(sums)]));
}

export function totalOf(groups: Iterable<UsageTally>): UsageTally {
  const total = new UsageTally();
  for (const tally of groups) total.add(tally);
  return total;
}

export function tallyOf(rows: readonly Sums[]): UsageTally {
  const tally = new UsageTally();
  for (const row of rows) tally.addRow(row, row.sign);
  return tally;
}
