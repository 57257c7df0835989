import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
/** Collects all of the heap, or its young part alone, at once. */
export const collectGarbage = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

/** What this process still needs of its memory, objects and the buffers that they hold: what can be collected is. */
export function liveBytes(): number {
  // The first only queues the finalizers of what it found dead.
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
