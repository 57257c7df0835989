import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Whether a process with this id runs. Zombies, which still accept signal 0, count as ended. */
export function isRunning(pid: number): boolean {
  const command = linuxCommandLine(pid);
  return command === undefined ? takesSignals(pid) : command !== '';
}

/** Whether this process is a Postgres server on this data directory, and not another program that reused its id. */
export function isServerOn(pid: number, dataDirectory: string): boolean {
  if (process.platform === 'win32') return outputOf('tasklist', '/NH', '/FI', `PID eq ${pid}`).includes('postgres.exe');
  const isLinux = process.platform === 'linux';
  const command = isLinux ? linuxCommandLine(pid) : outputOf('ps', '-ww', '-p', String(pid), '-o', 'args=');
  if (!command) return false;
  const isGuard = command.startsWith('/bin/sh ');
  return !isGuard && command.includes(`postgres -D ${dataDirectory} `);
}

/** The arguments, each followed by a space; empty for a zombie; undefined if there is no /proc or no such process. */
function linuxCommandLine(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return undefined;
  }
}

function takesSignals(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function outputOf(command: string, ...args: string[]): string {
  return spawnSync(command, args, { encoding: 'utf8' }).stdout ?? '';
}
