import { setFlagsFromString } from 'node:v8';

/** The first Node whose V8 knows the flag. */
const KNOWN_SINCE = 26;

/**
 * V8 collects its whole heap whenever 64 MB of buffers have been made since the last time, however few of them are left:
 * with images or long conversations that is every few hundred calls. With this, they count towards the heap's own limit.
 */
export function countBuffersWithHeap(): void {
  const [major] = process.versions.node.split('.').map(Number);
  if (major !== undefined && major >= KNOWN_SINCE) setFlagsFromString('--external-memory-accounted-in-global-limit');
}
