const RATIO = 1.1;
const BUCKETS = 256;
const ENTRY = 4;

/** So many histograms are kept as they came, until a percentile is asked for. */
const MOST_KEPT = 32;

/** How often which duration occurred, to within 5 %: what `usage_histogram` and `usage_merged` of the database write. */
export class UsageHistogram {
  private added: { entries: Buffer; sign: 1 | -1 }[] = [];
  /** What is in `added` no more; null while that is nothing. */
  private counts: Float64Array | null = null;

  /** Adds, or with -1 takes away, entries of four bytes: the bucket, and its count in three. */
  add(entries: Buffer, sign: 1 | -1): void {
    if (entries.length === 0) return;
    this.added.push({ entries, sign });
    if (this.added.length > MOST_KEPT) this.counted();
  }

  /** The same with another one. */
  merge(other: UsageHistogram, sign: 1 | -1): void {
    for (const { entries, sign: own } of other.added) this.add(entries, own === sign ? 1 : -1);
    if (other.counts === null) return;
    const counts = this.counted();
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      counts[bucket] = (counts[bucket] ?? 0) + sign * (other.counts[bucket] ?? 0);
    }
  }

  /** The durations in ms that these shares of all are no longer than, to a tenth; null where there is none at all. */
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

/** The value that is off by the same share from both ends of a bucket. */
function middleOf(bucket: number): number {
  return bucket === 0 ? 0 : (2 * RATIO ** bucket) / (1 + RATIO);
}
