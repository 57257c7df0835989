import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What this process still needs of its memory, objects and the buffers that they hold: what can be collected is. */
export function liveBytes(): number {
  // The first only queues the finalizers of what it found dead.
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
