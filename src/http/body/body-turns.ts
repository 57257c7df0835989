import type { Readable } from 'node:stream';

/**
 * Decompresses bodies one piece at a time, in turns of the event loop. Otherwise fifty concurrent bodies would use all
 * processors and delay other requests.
 */
export class BodyTurns {
  private readonly waiting: Readable[] = [];

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
