import { setTimeout as sleep } from 'node:timers/promises';

/** Takes whole lines, each with its line break. */
export interface Lines {
  write(line: string): void;
}

const PIECE_LENGTH = 32 * 1024;
const LONGEST_WAIT_MS = 200;
/** Of an output that nobody reads the end never comes. */
const LONGEST_END_MS = 1000;

/** What takes the text of the log in pieces. */
interface Destination {
  write(text: string): unknown;
  flush(callback?: (error?: Error) => void): void;
  flushSync(): void;
  end(): void;
  once(event: 'close', listener: () => void): unknown;
}

/**
 * Gathers lines into pieces of 32 kB, which go on after 200 ms at the latest. The destination's own gathering measures
 * all that it holds at each line, which made every line cost half a piece of memory.
 */
export class GatheredLines implements Lines {
  private text = '';
  private hasEnded = false;

  constructor(private readonly destination: Destination) {
    setInterval(() => this.pass(), LONGEST_WAIT_MS).unref();
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

  flush(callback?: (error?: Error) => void): void {
    this.pass();
    this.destination.flush(callback);
  }

  /**
   * Resolves when all is written; nothing is after it. What was on its way when a process exits could else come after
   * its last lines, or not at all.
   */
  async end(): Promise<void> {
    this.pass();
    this.hasEnded = true;
    const closed = new Promise<void>((resolve) => this.destination.once('close', resolve));
    this.destination.end();
    await Promise.race([closed, sleep(LONGEST_END_MS, undefined, { ref: false })]);
  }

  private pass(): void {
    if (this.text === '' || this.hasEnded) return;
    const { text } = this;
    this.text = '';
    this.destination.write(text);
  }
}
