import { setFlagsFromString } from 'node:v8';

/** The first Node version with the flag. */
const KNOWN_SINCE = 26;

/**
 * Makes buffers count towards the heap's limit. Otherwise V8 runs a full collection after every 64 MB of buffers, even
 * if few of them are still in use: every few hundred calls with images or long conversations.
 */
export function countBuffersWithHeap(): void {
  const [major] = process.versions.node.split('.').map(Number);
  if (major !== undefined && major >= KNOWN_SINCE) setFlagsFromString('--external-memory-accounted-in-global-limit');
}
