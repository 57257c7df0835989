import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** True while a process with this id runs. A zombie, which a bare signal 0 would still reach, has ended. */
export function isRunning(pid: number): boolean {
  const command = linuxCommandLine(pid);
  return command === undefined ? takesSignals(pid) : command !== '';
}

/** True while this id is a Postgres server on this data directory, not another program that got a dead server's id. */
export function isServerOn(pid: number, dataDirectory: string): boolean {
  if (process.platform === 'win32') return outputOf('tasklist', '/NH', '/FI', `PID eq ${pid}`).includes('postgres.exe');
  const isLinux = process.platform === 'linux';
  const command = isLinux ? linuxCommandLine(pid) : outputOf('ps', '-ww', '-p', String(pid), '-o', 'args=');
  if (!command) return false;
  const isGuard = command.startsWith('/bin/sh ');
  return !isGuard && command.includes(`postgres -D ${dataDirectory} `);
}

/** The arguments with a blank after each; empty for a zombie; undefined without /proc or without such a process. */
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
