/** A position of the primary's WAL at a time (`performance.now()`). */
interface Written {
  readonly at: number;
  readonly position: bigint;
}

/** Half an hour of samples, one per second; of older samples only the oldest is kept. */
const MAX_SAMPLES = 1800;

/**
 * The replica's lag: the age of the newest position in the primary's WAL that the replica has reached. It does not
 * depend on the replica's clock, and an idle primary causes no lag.
 */
export class ReplicaLag {
  /** Oldest first; the first is the newest one that the replica has reached, or else the oldest known. */
  private samples: Written[] = [];

  /** `wrote`: the primary's WAL position at `at`; `replayed`: the replica's position after that. */
  sample(at: number, wrote: string, replayed: string): void {
    this.samples.push({ at, position: toPosition(wrote) });
    const reached = toPosition(replayed);
    const newest = this.samples.findLastIndex(({ position }) => position <= reached);
    if (newest > 0) this.samples.splice(0, newest);
    else if (this.samples.length > MAX_SAMPLES) this.samples.splice(1, 1);
  }

  /** In ms at `now`, an upper bound once the replica has reached a sample; null: unknown. */
  at(now: number): number | null {
    const [oldest] = this.samples;
    return oldest ? now - oldest.at : null;
  }
}

/** `16/B374D848`: the two halves of a 64-bit number. */
function toPosition(lsn: string): bigint {
  const [high = '0', low = '0'] = lsn.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}
