const RATIO = 1.1;
const BUCKETS = 256;
const ENTRY = 4;

/** Unmerged histograms kept until a percentile is needed. */
const MAX_KEPT = 32;

/** Counts of durations, within 5 %, in the format of `usage_histogram` and `usage_merged` of the database. */
export class UsageHistogram {
  private added: { entries: Buffer; sign: 1 | -1 }[] = [];
  /** Merged counts, without those in `added`; null: none. */
  private counts: Float64Array | null = null;

  /** Adds, or subtracts with -1, entries of four bytes: the bucket, and its count in three bytes. */
  add(entries: Buffer, sign: 1 | -1): void {
    if (entries.length === 0) return;
    this.added.push({ entries, sign });
    if (this.added.length > MAX_KEPT) this.counted();
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
