import { setTimeout as sleep } from 'node:timers/promises';

export interface Lines {
  write(line: string): void;
}

const PIECE_LENGTH = 32 * 1024;
const MAX_WAIT_MS = 200;
/** An output that nobody reads never ends. */
const MAX_END_MS = 1000;

interface Destination {
  write(text: string): unknown;
  flushSync(): void;
  end(): void;
  once(event: 'close', listener: () => void): unknown;
}

/**
 * Gathers lines into pieces of 32 kB, written after at most 200 ms. The destination's own buffering measures the whole
 * buffer for each line, which allocates half a piece of memory per line.
 */
export class GatheredLines implements Lines {
  private text = '';
  private hasEnded = false;

  constructor(private readonly destination: Destination) {
    setInterval(() => this.pass(), MAX_WAIT_MS).unref();
    process.once('exit', () => {
      if (this.hasEnded) return;
      this.pass();
      destination.flushSync();
    });
  }

  write(line: string): void {
    this.text += line;
    if (this.text.length >= PIECE_LENGTH) this.pass();
  }

  /**
   * Resolves when everything is written; later lines are dropped. Otherwise the last lines could get lost or out of
   * order when the process exits.
   */
  async end(): Promise<void> {
    this.pass();
    this.hasEnded = true;
    const closed = new Promise<void>((resolve) => this.destination.once('close', resolve));
    this.destination.end();
    await Promise.race([closed, sleep(MAX_END_MS, undefined, { ref: false })]);
  }

  private pass(): void {
    if (this.text === '' || this.hasEnded) return;
    const { text } = this;
    this.text = '';
    this.destination.write(text);
  }
}
