import { readdirSync, readFileSync } from 'node:fs';

/** CPU of all processes below `pid` in µs: the embedded database's. Null where the system has no /proc to tell. */
export function descendantsCpu(pid: number): number | null {
  try {
    return childrenOf(pid).reduce((sum, child) => sum + cpuOf(child) + (descendantsCpu(child) ?? 0), 0);
  } catch {
    return null;
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' '))
    .filter(Boolean)
    .map(Number);
}

function cpuOf(pid: number): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1000;
}
