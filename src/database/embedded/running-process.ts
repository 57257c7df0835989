import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { DataFolder } from './data-folder.js';

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

/** The server's `postmaster.pid`; a killed server leaves it behind. */
export interface PostmasterPid {
  pid: number;
  port: number;
  /** Empty when the server listens on TCP only. */
  socketFolder: string;
  /** True between the end of recovery and the start of shutdown. */
  ready: boolean;
}

/** Larger than any process id, but valid for Postgres. */
const NO_PROCESS = 999_999_999;

/** Undefined when no server runs and none was killed. */
export function readPostmasterPid(dataDirectory: string): PostmasterPid | undefined {
  const lines = textOf(fileIn(dataDirectory)).split('\n');
  const [pid, , , port, socketFolder, , , status] = lines.map((line) => line.trim());
  if (!Number(pid)) return undefined;
  return { pid: Number(pid), port: Number(port), socketFolder: socketFolder ?? '', ready: status === 'ready' };
}

/**
 * Marks the process of a killed server as gone. Postgres refuses to start while any process has its id, which may be a
 * zombie or another program. The rest of the file stays, as Postgres uses its shared memory id to check that no child
 * of the killed server still writes.
 */
export function retirePostmasterPid(dataDirectory: string, draft: string): void {
  const file = fileIn(dataDirectory);
  const text = textOf(file);
  if (!text || isServerOn(Number.parseInt(text, 10), dataDirectory)) return;

  const owner = statSync(file, { throwIfNoEntry: false });
  if (!owner) return;
  writeFileSync(draft, text.replace(/^-?\d+/, String(NO_PROCESS)), { mode: 0o600 });
  if (process.getuid?.() === 0) chownSync(draft, owner.uid, owner.gid);
  // Another process may have started a server meanwhile.
  if (textOf(file) === text) renameSync(draft, file);
  else rmSync(draft);
}

function fileIn(dataDirectory: string): string {
  return path.join(dataDirectory, 'postmaster.pid');
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

const ownMarks = new Set<string>();

/**
 * A name part, `<pid>-<random>`, for the files of one start of this process. After a restart of a container processes
 * get their old ids again, so the random part is needed.
 */
export function newProcessMark(): string {
  const mark = `${process.pid}-${randomBytes(4).toString('hex')}`;
  ownMarks.add(mark);
  return mark;
}

export function isLiveMark(mark: string): boolean {
  const pid = Number.parseInt(mark, 10);
  return pid === process.pid ? ownMarks.has(mark) : isRunning(pid);
}

export function ownerFile(folder: DataFolder, mark: string): string {
  return path.join(folder.path, `run-${mark}`);
}

/** The mark of the live process that owns the server; undefined for an orphan. */
export function ownerOf(serverPid: number, folder: DataFolder): string | undefined {
  return marksOf('run', folder).find((mark) => isLiveMark(mark) && pidIn(ownerFile(folder, mark)) === serverPid);
}

/**
 * Removes what killed processes left: owner files, drafts, logs, and unused copies of programs. Call it only before a
 * server starts: a running one may belong to a process in another container, which looks dead from this container.
 */
export function removeLeftovers(folder: DataFolder, programs: string): void {
  const dead = (['new', 'run', 'log'] as const).flatMap((kind) =>
    marksOf(kind, folder)
      .filter((mark) => !isLiveMark(mark))
      .map((mark) => `${kind}-${mark}`),
  );
  const copies = readdirSync(folder.path).filter((name) => name.startsWith('native-'));
  const unused = copies.filter((name) => !programs.startsWith(path.join(folder.path, name)));
  for (const name of [...dead, ...unused]) remove(path.join(folder.path, name));
}

function remove(leftover: string): void {
  try {
    rmSync(leftover, { recursive: true, force: true });
  } catch {
    // An initdb that outlived its killed parent may still write there; the next start retries.
  }
}

function marksOf(kind: 'new' | 'run' | 'log', folder: DataFolder): string[] {
  const names = readdirSync(folder.path);
  return names.filter((name) => name.startsWith(`${kind}-`)).map((name) => name.slice(kind.length + 1));
}

function pidIn(file: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10);
  } catch {
    return undefined;
  }
}
