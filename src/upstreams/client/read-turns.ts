/** Who gives way to the others, until the next turn of the event loop. */
export interface Reading {
  goOn(): void;
}

/** What is read by all until one of them gives way: some milliseconds of work where it is many small events. */
const SHARE_BYTES = 64 * 1024;

/**
 * Upstreams that send as fast as they are read would keep the event loop for seconds, since a turn of it reads from each
 * of them. So whoever brings what was read to the share waits for the next turn, and so does who has read something after
 * that. Turns are not told apart, which would cost each of them: with little to read, somebody pauses now and then for
 * nothing.
 */
export class ReadTurns {
  private readonly waiting: Reading[] = [];
  private bytes = 0;
  private isPlanned = false;

  /** Whether the share of this turn is used up: what was read is to be kept until its reader is told to go on. */
  get isOver(): boolean {
    return this.bytes >= SHARE_BYTES;
  }

  /** The reader stops until it is told to go on. */
  wait(reader: Reading): void {
    this.waiting.push(reader);
    this.plan();
  }

  /** So many bytes were read; false: the reader is to stop, and waits until it is told to go on. */
  take(bytes: number, reader: Reading): boolean {
    this.bytes += bytes;
    if (!this.isOver) return true;
    this.wait(reader);
    return false;
  }

  private plan(): void {
    if (this.isPlanned) return;
    this.isPlanned = true;
    setImmediate(() => this.next());
  }

  private next(): void {
    this.isPlanned = false;
    this.bytes = 0;
    // Those that stop again while they go on stand behind the others.
    for (let left = this.waiting.length; left > 0 && !this.isOver; left--) this.waiting.shift()?.goOn();
    if (this.waiting.length > 0) this.plan();
  }
}
