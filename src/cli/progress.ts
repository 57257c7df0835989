const ON_TERMINAL_MS = 200;
const ELSEWHERE_MS = 5000;
const CLEARED_LINE = '\r\u001b[K';

/**
 * Reports the progress of a long command on stderr: on a terminal in one line, otherwise in a line every five seconds.
 */
export class Progress {
  private toldAt = performance.now();
  private isShown = false;

  constructor(private readonly output: Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean } = process.stderr) {}

  tell(text: string): void {
    const isTerminal = this.output.isTTY === true;
    if (performance.now() - this.toldAt < (isTerminal ? ON_TERMINAL_MS : ELSEWHERE_MS)) return;
    this.toldAt = performance.now();
    this.isShown = isTerminal;
    this.output.write(isTerminal ? `${CLEARED_LINE}${text}` : `${text}\n`);
  }

  /** Clears the terminal's line. */
  end(): void {
    if (this.isShown) this.output.write(CLEARED_LINE);
  }
}
