import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { DataFolder } from './data-folder.js';
import { changeOwner } from './server-account.js';

/**
 * The server's log file (a pipe would end with this process). Each start has its own file until the owner of the
 * running server is known, as several processes may try at once.
 */
export class ServerLog {
  readonly draft: string;
  private readonly folder: DataFolder;

  constructor(folder: DataFolder, mark: string) {
    this.folder = folder;
    this.draft = path.join(folder.path, `log-${mark}`);
  }

  open(): void {
    closeSync(openSync(this.draft, 'a', 0o600));
    changeOwner(this.folder.account, this.draft);
  }

  /** Gives the log its final name and returns it. The previous log is kept as `postgres.old.log`. */
  publish(): string {
    const file = path.join(this.folder.path, 'postgres.log');
    if (!existsSync(this.draft)) return file;
    moved(file, path.join(this.folder.path, 'postgres.old.log'));
    return moved(this.draft, file) ? file : this.draft;
  }

  discard(): void {
    rmSync(this.draft, { force: true });
  }

  tail(lines = 8): string {
    return readFileSync(this.draft, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  }
}

/** False when the file does not exist, or is in use on Windows. */
function moved(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false;
  }
}
