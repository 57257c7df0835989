import { setFlagsFromString } from 'node:v8';

/** The first Node version with the flag. */
const BUFFERS_COUNT_SINCE = 26;

/**
 * Two flags of V8, for a process that runs many short calls at the same time; see README.md.
 *
 * - Buffers count towards the heap's limit. Otherwise V8 runs a full collection after every 64 MB of buffers, even if few
 *   of them are still in use: every few hundred calls with images or long conversations.
 * - No pretenuring: V8 would create objects in the old generation if the first ones from the same place in the code
 *   survived, as those of running calls do. Such an object keeps its whole call until the next full collection.
 */
export function setHeapFlags(): void {
  const [major] = process.versions.node.split('.').map(Number);
  if (major !== undefined && major >= BUFFERS_COUNT_SINCE) {
    setFlagsFromString('--external-memory-accounted-in-global-limit');
  }
  setFlagsFromString('--no-allocation-site-pretenuring');
}
