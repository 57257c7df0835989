import type { Flow } from '../contract/upstream.types.js';

/** In bytes. While it is parsed, an answer takes several times as much. */
export const LARGE_ANSWER = 4 * 1024 * 1024;
const AT_ONCE = 8;
const AT_ONCE_OF_AN_OWNER = 2;

interface LargeAnswer {
  readonly ownerId: string;
  readonly flow: Flow;
}

/** Places in which whole answers beyond `LARGE_ANSWER` are read. Without one, an answer is paused, and so its upstream. */
export class LargeAnswers {
  private readonly places = new Set<LargeAnswer>();
  private readonly waiting = new Set<LargeAnswer>();

  /** Returns a function to call once the answer was read and passed on, or was given up. */
  enter(ownerId: string, flow: Flow): () => void {
    const answer = { ownerId, flow };
    if (this.hasPlaceFor(answer)) this.places.add(answer);
    else {
      this.waiting.add(answer);
      flow.pause();
    }
    return () => this.leave(answer);
  }

  private leave(answer: LargeAnswer): void {
    this.waiting.delete(answer);
    if (!this.places.delete(answer)) return;
    for (const next of this.waiting) {
      if (!this.hasPlaceFor(next)) continue;
      this.waiting.delete(next);
      this.places.add(next);
      // In the next turn: undici must not be asked to parse one response while it ends another.
      setImmediate(() => this.places.has(next) && next.flow.resume());
    }
  }

  private hasPlaceFor({ ownerId }: LargeAnswer): boolean {
    if (this.places.size >= AT_ONCE) return false;
    let ofOwner = 0;
    for (const place of this.places) if (place.ownerId === ownerId) ofOwner++;
    return ofOwner < AT_ONCE_OF_AN_OWNER;
  }
}
