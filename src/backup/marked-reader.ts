import { UsageError } from '../common/usage.error.js';

/** Reads bytes in pieces, each up to a mark. The mark is left out. */
export class MarkedReader {
  private kept: Buffer = Buffer.alloc(0);

  constructor(private readonly parts: AsyncIterator<Buffer>) {}

  /** The bytes up to the mark as they arrive, without the mark. */
  async *until(mark: string): AsyncGenerator<Buffer> {
    for (;;) {
      const end = this.kept.indexOf(mark);
      // A possible start of a mark is kept until the next bytes arrive.
      const length = end === -1 ? this.kept.length - mark.length + 1 : end;
      const part = this.kept.subarray(0, Math.max(0, length));
      this.kept = this.kept.subarray(part.length + (end === -1 ? 0 : mark.length));
      if (part.length > 0) yield part;
      if (end !== -1) return;
      if (!(await this.readMore())) throw new UsageError('The backup is truncated: its end is missing.');
    }
  }

  async text(mark: string): Promise<string> {
    const parts: Buffer[] = [];
    for await (const part of this.until(mark)) parts.push(part);
    return Buffer.concat(parts).toString();
  }

  async startsWith(text: string): Promise<boolean> {
    while (this.kept.length < text.length && (await this.readMore()));
    return this.kept.subarray(0, text.length).toString() === text;
  }

  putBack(text: string): void {
    this.kept = Buffer.concat([Buffer.from(text), this.kept]);
  }

  async isAtEnd(): Promise<boolean> {
    return this.kept.length === 0 && !(await this.readMore());
  }

  private async readMore(): Promise<boolean> {
    const { done, value } = await this.parts.next();
    if (done) return false;
    this.kept = this.kept.length === 0 ? value : Buffer.concat([this.kept, value]);
    return true;
  }
}
