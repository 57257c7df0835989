import { readdirSync, readFileSync } from 'node:fs';

/** CPU of all processes below `pid` in µs: the embedded database's. Null without /proc. */
export function descendantsCpu(pid: number): number | null {
  try {
    return childrenOf(pid).reduce((sum, child) => sum + cpuOf(child) + (descendantsCpu(child) ?? 0), 0);
  } catch {
    return null;
  }
}

/** CPU in µs, all threads included, of a process and its forks that run `program`, by process id. */
export function workersCpu(pid: number, program: string): Map<number, number> {
  const forked = childrenOf(pid).filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(program));
  return new Map([pid, ...forked].map((id) => [id, cpuOfThreads(id)]));
}

function cpuOfThreads(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + cpuOf(`${pid}/task/${thread}`), 0);
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' '))
    .filter(Boolean)
    .map(Number);
}

function cpuOf(pid: number | string): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1000;
}
