export interface Reading {
  resumeReading(): void;
}

/** Bytes that all exchanges together read in one turn; many small events of this size take a few milliseconds. */
const SHARE_BYTES = 64 * 1024;

/**
 * Prevents fast upstreams from blocking the event loop for seconds, as one turn reads from all of them. A reader that
 * reaches the shared limit, and all readers after it, wait for the next turn. Turns are not detected exactly, which
 * would cost time in each turn, so a reader may occasionally pause without need.
 */
export class ReadTurns {
  private readonly waiting: Reading[] = [];
  private bytes = 0;
  private isPlanned = false;

  /** Whether the turn is used up, so that readers must buffer their data. */
  get isOver(): boolean {
    return this.bytes >= SHARE_BYTES;
  }

  wait(reader: Reading): void {
    this.waiting.push(reader);
    this.plan();
  }

  /** Counts read bytes. False: the reader must stop until `resumeReading`. */
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
    // Readers that stop again queue behind the others.
    for (let left = this.waiting.length; left > 0 && !this.isOver; left--) this.waiting.shift()?.resumeReading();
    if (this.waiting.length > 0) this.plan();
  }
}
