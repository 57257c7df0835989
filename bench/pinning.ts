import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The processors for the server and for the load generator. */
export interface Pinning {
  servers: number;
  load: number;
}

/** Null if processes cannot be pinned: no `taskset`, or a single processor. */
export function findPinning(): Pinning | null {
  if (process.platform !== 'linux' || spawnSync('taskset', ['-V']).error) return null;
  const [servers, load] = allowedProcessors();
  return servers === undefined || load === undefined ? null : { servers, load };
}

/** Pins all threads of a process. */
export function pin(pid: number, processor: number): void {
  execFileSync('taskset', ['-acp', String(processor), String(pid)]);
}

function allowedProcessors(): number[] {
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}
