import { chownSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isServerOn } from './running-process.js';

/** What a server tells about itself in its data directory; a killed server leaves the file behind. */
export interface PostmasterPid {
  pid: number;
  port: number;
  /** Folder of the Unix socket; empty where the server listens on TCP only. */
  socketFolder: string;
  /** True between the end of recovery and the start of shutdown. */
  ready: boolean;
}

/** Larger than any process id can be, and still a number that Postgres reads. */
const NO_PROCESS = 999_999_999;

/** Undefined when no server runs and none was killed. */
export function readPostmasterPid(dataDirectory: string): PostmasterPid | undefined {
  const lines = textOf(fileIn(dataDirectory)).split('\n');
  const [pid, , , port, socketFolder, , , status] = lines.map((line) => line.trim());
  if (!Number(pid)) return undefined;
  return { pid: Number(pid), port: Number(port), socketFolder: socketFolder ?? '', ready: status === 'ready' };
}

/**
 * Makes the file of a killed server say that its process is gone. Postgres only asks whether some process has that id,
 * which is also true of a zombie and of another program that got the id since, and would then refuse to start. The rest
 * of the file stays: by its shared memory id Postgres makes sure that no child of the killed server still writes.
 */
export function retirePostmasterPid(dataDirectory: string, draft: string): void {
  const file = fileIn(dataDirectory);
  const text = textOf(file);
  if (!text || isServerOn(Number.parseInt(text, 10), dataDirectory)) return;

  const owner = statSync(file, { throwIfNoEntry: false });
  if (!owner) return;
  writeFileSync(draft, text.replace(/^-?\d+/, String(NO_PROCESS)), { mode: 0o600 });
  if (process.getuid?.() === 0) chownSync(draft, owner.uid, owner.gid);
  // A server that another process has started meanwhile keeps its file.
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
