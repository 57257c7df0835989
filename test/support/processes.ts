import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The command lines of the running processes that name a folder, from /proc. */
export function processesOn(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(commandLine)
    .filter((line) => line.includes(folder));
}

/** The ids of the processes that one has started to run a program. */
export function childrenOf(pid: number | undefined, program: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid && commandLine(name).includes(program))
    .map(Number);
}

/** The fourth field, after the name in brackets. */
function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

/** What a process has used of a core so far, in s: unlike the time that has passed, this is its own. */
export function coreSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const [user, system] = [fields[11], fields[12]].map(Number);
  // The kernel tells them in hundredths.
  return ((user ?? Number.NaN) + (system ?? Number.NaN)) / 100;
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** What a process holds of the machine's memory, in bytes. */
export function residentBytes(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1]) * 1024;
}

/** How many sockets a process has open. */
export function socketsOf(pid: number | undefined): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => linkOf(`${folder}/${name}`).startsWith('socket:')).length;
}

/** Where a link leads; nowhere if it is gone by now. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
