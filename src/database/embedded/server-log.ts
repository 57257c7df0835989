import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { DataFolder } from './data-folder.js';
import { handTo } from './server-account.js';

/**
 * Where a server writes its log: a file, since a pipe would end with us. Until it is known whose server runs, each start
 * has a file of its own, for several processes may try at once.
 */
export class ServerLog {
  /** Where the attempts of this start are logged. */
  readonly draft: string;
  private readonly folder: DataFolder;

  constructor(folder: DataFolder, mark: string) {
    this.folder = folder;
    this.draft = path.join(folder.path, `log-${mark}`);
  }

  /** Makes the file, for the server to append to. */
  open(): void {
    closeSync(openSync(this.draft, 'a', 0o600));
    handTo(this.folder.account, this.draft);
  }

  /** Gives the log its lasting name, which it returns. The log before it is kept as `postgres.old.log`. */
  publish(): string {
    const file = path.join(this.folder.path, 'postgres.log');
    if (!existsSync(this.draft)) return file;
    moved(file, path.join(this.folder.path, 'postgres.old.log'));
    return moved(this.draft, file) ? file : this.draft;
  }

  discard(): void {
    rmSync(this.draft, { force: true });
  }

  /** The last lines, to be shown with a failure. */
  tail(lines = 8): string {
    return readFileSync(this.draft, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  }
}

/** False when there is no such file; or on Windows, where a file in use keeps its name. */
function moved(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false;
  }
}
