import type { Readable } from 'node:stream';

/**
 * Compressed bodies go on one after the other, by a piece each, in turns of the event loop: fifty that came at once would else
 * be decompressed on all processors, and worked off, before anybody else gets on.
 */
export class BodyTurns {
  private readonly waiting: Readable[] = [];

  /** The body stops until it is its turn. */
  next(body: Readable): void {
    body.pause();
    this.waiting.push(body);
    if (this.waiting.length === 1) setImmediate(() => this.goOn());
  }

  private goOn(): void {
    this.waiting.shift()?.resume();
    if (this.waiting.length > 0) setImmediate(() => this.goOn());
  }
}
