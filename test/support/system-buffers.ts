import { readFileSync } from 'node:fs';

const MEGABYTE = 1024 * 1024;

/** The maximum number of bytes that the system buffers between the two ends of a connection. */
export const CONNECTION_BYTES = largest('wmem') + largest('rmem');

function largest(kind: 'rmem' | 'wmem'): number {
  try {
    return Number(readFileSync(`/proc/sys/net/ipv4/tcp_${kind}`, 'utf8').split(/\s+/)[2]);
  } catch {
    return 8 * MEGABYTE;
  }
}
