import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work that may have to wait: it yields what it waits for, so that what needs no waiting takes no promise. */
export type Work<Result> = Generator<Promise<unknown>, Result, unknown>;

/** Together with a single step, which takes a few milliseconds at most, a turn stays below ten. */
const TURN_MS = 3;
/** What is done, in characters, before the clock is read. */
const CHARACTERS_PER_CHECK = 8 * 1024;
const CHARACTERS_PER_STEP = 64;

/** Divides long work into turns of the event loop. */
export class Turns {
  private beganMs = performance.now();
  private done = 0;

  /** To be waited for after a step that went through so many characters; undefined: the turn is not over. */
  after(characters: number): Promise<void> | undefined {
    this.done += characters + CHARACTERS_PER_STEP;
    if (this.done < CHARACTERS_PER_CHECK) return undefined;
    this.done = 0;
    return performance.now() - this.beganMs < TURN_MS ? undefined : this.next();
  }

  async next(): Promise<void> {
    await nextTurn();
    this.beganMs = performance.now();
  }
}

/** Does the work, which rejects if what it waits for does. */
export async function inTurns<Result>(work: Work<Result>, first = work.next()): Promise<Result> {
  for (let step = first; ; ) {
    if (step.done) return step.value;
    step = work.next(await step.value);
  }
}

/** The same, but at once if nothing has to be waited for. */
export function nowOrInTurns<Result>(work: Work<Result>): Result | Promise<Result> {
  const first = work.next();
  return first.done ? first.value : inTurns(work, first);
}
