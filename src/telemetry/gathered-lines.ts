/** Takes whole lines, each with its line break. */
export interface Lines {
  write(line: string): void;
}

const PIECE_LENGTH = 32 * 1024;
const LONGEST_WAIT_MS = 200;

/** What takes the text of the log in pieces. */
interface Destination {
  write(text: string): unknown;
  flush(callback?: (error?: Error) => void): void;
  flushSync(): void;
}

/**
 * Gathers lines into pieces of 32 kB, which go on after 200 ms at the latest. The destination's own gathering measures
 * all that it holds at each line, which made every line cost half a piece of memory.
 */
export class GatheredLines implements Lines {
  private text = '';

  constructor(private readonly destination: Destination) {
    setInterval(() => this.pass(), LONGEST_WAIT_MS).unref();
    process.once('exit', () => {
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

  private pass(): void {
    if (this.text === '') return;
    const { text } = this;
    this.text = '';
    this.destination.write(text);
  }
}
