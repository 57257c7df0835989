import { setTimeout as sleep } from 'node:timers/promises';
import { LostTime } from './lost-time.js';

/**
 * Resolves with the first result that is not false, null or undefined; throws after the limit. Give a limit if the time
 * is part of the promise; the default only ends a hopeless wait. Time in which this process was not scheduled does not
 * count.
 */
export async function eventually<Result>(
  attempt: () => Result | Promise<Result>,
  limitMs = 20_000,
): Promise<Exclude<Awaited<Result>, false | null | undefined>> {
  const beganAt = performance.now();
  const lost = new LostTime();
  try {
    for (;;) {
      const result = await attempt();
      if (result !== false && result !== null && result !== undefined) {
        return result as Exclude<Awaited<Result>, false | null | undefined>;
      }
      if (performance.now() - beganAt - lost.ms > limitMs) throw new Error(`not so within ${limitMs} ms: ${attempt}`);
      await sleep(20);
    }
  } finally {
    lost.stop();
  }
}
