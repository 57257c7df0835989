import type { Cells } from '../rollups/usage-pieces.js';
import type { COUNTS, HISTOGRAMS } from '../rollups/usage-rollup-kinds.js';
import type { UsageDimension, UsageFilter, UsageGrouping, UsageSums } from '../usage.types.js';

const SHARES = [0.5, 0.95] as const;

export type SumsRow = Record<(typeof COUNTS)[number] | 'running', string> &
  Record<(typeof HISTOGRAMS)[number], Buffer> & {
    /** Only in rows that count refused requests. */
    refused?: number;
  };

export class UsageTally {
  private readonly counts = {
    requests: 0,
    running: 0,
    errors: 0,
    aborted: 0,
    simulated: 0,
    refused: 0,
    inputTokens: 0,
    cachedTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
  };
  private costNanodollars = 0n;
  private readonly totalMs = new UsageHistogram();
  private readonly firstTokenMs = new UsageHistogram();

  get isEmpty(): boolean {
    const { requests, errors, refused } = this.counts;
    return requests === 0 && errors === 0 && refused === 0;
  }

  /** A sign of -1 subtracts the row. */
  addRow(row: SumsRow, sign: 1 | -1): void {
    this.counts.requests += sign * Number(row.calls);
    this.counts.running += sign * Number(row.running);
    this.counts.errors += sign * Number(row.errors);
    this.counts.aborted += sign * Number(row.aborted);
    this.counts.simulated += sign * Number(row.simulated);
    this.counts.refused += sign * (row.refused ?? 0);
    this.counts.inputTokens += sign * Number(row.input_tokens);
    this.counts.cachedTokens += sign * Number(row.cached_tokens);
    this.counts.outputTokens += sign * Number(row.output_tokens);
    this.counts.reasoningTokens += sign * Number(row.reasoning_tokens);
    this.costNanodollars += BigInt(sign) * BigInt(row.cost_nanodollars);
    this.totalMs.add(row.total_ms, sign);
    this.firstTokenMs.add(row.first_token_ms, sign);
  }

  /** A sign of -1 subtracts it. */
  add(other: UsageTally, sign: 1 | -1 = 1): void {
    for (const name of Object.keys(this.counts) as (keyof typeof this.counts)[]) {
      this.counts[name] += sign * other.counts[name];
    }
    this.costNanodollars += BigInt(sign) * other.costNanodollars;
    this.totalMs.merge(other.totalMs, sign);
    this.firstTokenMs.merge(other.firstTokenMs, sign);
  }

  sums(): UsageSums {
    const [p50TotalMs, p95TotalMs] = this.totalMs.percentiles(SHARES);
    const [p50FirstTokenMs, p95FirstTokenMs] = this.firstTokenMs.percentiles(SHARES);
    const { requests, running, errors, aborted, simulated } = this.counts;
    return {
      ...this.counts,
      succeeded: Math.max(0, requests - running - errors - aborted - simulated),
      costNanodollars: this.costNanodollars,
      timed: this.totalMs.total(),
      p50TotalMs,
      p95TotalMs,
      p50FirstTokenMs,
      p95FirstTokenMs,
    };
  }
}

const RATIO = 1.1;
const BUCKETS = 256;
const ENTRY = 4;

/** Unmerged histograms kept until a percentile is needed. */
const MAX_STORED = 32;

/** Counts of durations, within 5 %, in the format of `usage_histogram` and `usage_merged` of the database. */
export class UsageHistogram {
  private added: { entries: Buffer; sign: 1 | -1 }[] = [];
  /** Merged counts, without those in `added`; null: none. */
  private counts: Float64Array | null = null;

  /** Adds, or subtracts with -1, entries of four bytes: the bucket, and its count in three bytes. */
  add(entries: Buffer, sign: 1 | -1): void {
    if (entries.length === 0) return;
    this.added.push({ entries, sign });
    if (this.added.length > MAX_STORED) this.counted();
  }

  merge(other: UsageHistogram, sign: 1 | -1): void {
    for (const { entries, sign: own } of other.added) this.add(entries, own === sign ? 1 : -1);
    if (other.counts === null) return;
    const counts = this.counted();
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      counts[bucket] = (counts[bucket] ?? 0) + sign * (other.counts[bucket] ?? 0);
    }
  }

  /** Percentiles in ms, rounded to tenths; null without values. */
  percentiles<Shares extends readonly number[]>(shares: Shares): { [Place in keyof Shares]: number | null } {
    const counts = this.added.length === 0 && this.counts === null ? null : this.counted();
    return shares.map((share) => counts && percentileOf(counts, share)) as { [Place in keyof Shares]: number | null };
  }

  /** The number of values. */
  total(): number {
    if (this.added.length === 0 && this.counts === null) return 0;
    return Math.max(
      0,
      this.counted().reduce((sum, times) => sum + times, 0),
    );
  }

  private counted(): Float64Array {
    this.counts ??= new Float64Array(BUCKETS);
    for (const { entries, sign } of this.added) count(entries, sign, this.counts);
    this.added = [];
    return this.counts;
  }
}

function count(entries: Buffer, sign: 1 | -1, counts: Float64Array): void {
  for (let at = 0; at + 3 < entries.length; at += ENTRY) {
    const bucket = entries[at] as number;
    const times =
      ((entries[at + 1] as number) << 16) | ((entries[at + 2] as number) << 8) | (entries[at + 3] as number);
    counts[bucket] = (counts[bucket] as number) + sign * times;
  }
}

function percentileOf(counts: Float64Array, share: number): number | null {
  let total = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) total += counts[bucket] as number;
  if (total <= 0) return null;
  let reached = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const times = counts[bucket] as number;
    reached += times;
    if (times > 0 && reached >= share * total) return Math.round(middleOf(bucket) * 10) / 10;
  }
  return null;
}

/** The value with the same relative distance to both ends of a bucket. */
function middleOf(bucket: number): number {
  return bucket === 0 ? 0 : (2 * RATIO ** bucket) / (1 + RATIO);
}

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
