export interface Reading {
  resumeReading(): void;
}

/** Bytes that all exchanges together read in one turn: a few milliseconds of work if they are many small events. */
const SHARE_BYTES = 64 * 1024;

/**
 * Keeps fast upstreams from blocking the event loop for seconds, since one turn reads from each of them. A reader that
 * reaches the shared limit waits for the next turn, as does each that reads after it. Turns are not detected exactly,
 * which would cost time on each of them, so a reader may occasionally pause needlessly.
 */
export class ReadTurns {
  private readonly waiting: Reading[] = [];
  private bytes = 0;
  private isPlanned = false;

  /** The turn is used up: readers keep their data until they may continue. */
  get isOver(): boolean {
    return this.bytes >= SHARE_BYTES;
  }

  wait(reader: Reading): void {
    this.waiting.push(reader);
    this.plan();
  }

  /** Counts bytes read; false: the reader must stop until `resumeReading`. */
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
