const RATIO = 1.1;
const BUCKETS = 256;
const ENTRY = 4;

/** How often which duration occurred, to within 5 %: what `usage_histogram` and `usage_merged` of the database write. */
export class UsageHistogram {
  private readonly counts = new Float64Array(BUCKETS);

  /** Adds, or with -1 takes away, entries of four bytes: the bucket, and its count in three. */
  add(entries: Buffer, sign: 1 | -1): void {
    const { counts } = this;
    for (let at = 0; at + 3 < entries.length; at += ENTRY) {
      const bucket = entries[at] as number;
      const count =
        ((entries[at + 1] as number) << 16) | ((entries[at + 2] as number) << 8) | (entries[at + 3] as number);
      counts[bucket] = (counts[bucket] as number) + sign * count;
    }
  }

  /** The same with another one. */
  merge(other: UsageHistogram, sign: 1 | -1): void {
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      this.counts[bucket] = (this.counts[bucket] ?? 0) + sign * (other.counts[bucket] ?? 0);
    }
  }

  /** The duration in ms that this share of all is no longer than, to a tenth; null where there is none at all. */
  percentile(share: number): number | null {
    const total = this.counts.reduce((sum, count) => sum + count, 0);
    if (total <= 0) return null;
    let reached = 0;
    const found = this.counts.findIndex((count) => {
      reached += count;
      return count > 0 && reached >= share * total;
    });
    return found < 0 ? null : Math.round(middleOf(found) * 10) / 10;
  }
}

/** The value that is off by the same share from both ends of a bucket. */
function middleOf(bucket: number): number {
  return bucket === 0 ? 0 : (2 * RATIO ** bucket) / (1 + RATIO);
}
