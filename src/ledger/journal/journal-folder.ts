import { access, constants, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/** `<instance>-<number>.calls` */
const NAME = /^(\d+)-(\d+)\.calls$/;

export interface NamedFile {
  readonly path: string;
  /** The process that writes the file or has taken it over. */
  readonly instanceId: string;
}

/** `journal` in the data folder: files of ended calls that are not in the ledger yet. */
export class JournalFolder {
  readonly path: string;

  constructor(private readonly dataFolder: string) {
    this.path = path.join(dataFolder, 'journal');
  }

  /** Rejects if files cannot be written to the folder. */
  async open(): Promise<void> {
    await mkdir(this.dataFolder, { recursive: true });
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    await access(this.path, constants.R_OK | constants.W_OK | constants.X_OK);
  }

  fileOf(instanceId: string, number: number): string {
    return path.join(this.path, `${instanceId}-${number}.calls`);
  }

  /** Sorted by name; empty when there is no folder. */
  async files(): Promise<NamedFile[]> {
    const names = await readdir(this.path).catch(() => []);
    return names.sort().flatMap((name) => {
      const [, instanceId] = NAME.exec(name) ?? [];
      return instanceId === undefined ? [] : [{ path: path.join(this.path, name), instanceId }];
    });
  }

  /** False when another process was faster. */
  async rename(from: string, to: string): Promise<boolean> {
    return await rename(from, to).then(
      () => true,
      () => false,
    );
  }

  async remove(file: string): Promise<void> {
    await rm(file, { force: true });
  }
}
