import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
/** Collects the heap or only its young generation. */
export const collectGarbage = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

/** The live memory of this process after collection: objects and their buffers. */
export function liveBytes(): number {
  // The first collection only queues finalizers.
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
