import { readdirSync, readFileSync } from 'node:fs';

/** The command lines of the running processes that name a folder, from /proc. */
export function processesOn(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(commandLine)
    .filter((line) => line.includes(folder));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
