import { chownSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isServerOn } from './running-process.js';

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
