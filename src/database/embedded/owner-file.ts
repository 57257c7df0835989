import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { DataFolder } from './data-folder.js';
import { isLiveMark } from './process-mark.js';

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
