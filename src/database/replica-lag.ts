/** What the primary had written at an instant of this process (`performance.now()`). */
interface Written {
  readonly at: number;
  readonly position: bigint;
}

/** Half an hour of samples, one a second; of what came before, only the first one is kept. */
const MOST_SAMPLES = 1800;

/**
 * How far a replica lies behind: the age of the newest position in the primary's WAL that the replica has reached. It
 * needs no clock of the replica, and a primary that writes nothing causes no lag.
 */
export class ReplicaLag {
  /** Oldest first; the first is the newest that the replica has reached, or the first there was. */
  private samples: Written[] = [];

  /** `wrote`: the primary's WAL position at `at`; `replayed`: the replica's after that. */
  sample(at: number, wrote: string, replayed: string): void {
    this.samples.push({ at, position: toPosition(wrote) });
    const reached = toPosition(replayed);
    const newest = this.samples.findLastIndex(({ position }) => position <= reached);
    if (newest > 0) this.samples.splice(0, newest);
    else if (this.samples.length > MOST_SAMPLES) this.samples.splice(1, 1);
  }

  /** In ms at `now`, an upper bound once the replica has reached one sample. Null: nothing is known yet. */
  at(now: number): number | null {
    const [oldest] = this.samples;
    return oldest ? now - oldest.at : null;
  }
}

/** `16/B374D848`: two halves of a 64-bit number. */
function toPosition(lsn: string): bigint {
  const [high = '0', low = '0'] = lsn.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}
