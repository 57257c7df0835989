import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the set-up link stands for whoever may read the data folder. */
export class SetupLinkFile {
  readonly path: string;

  constructor(private readonly folder: string) {
    this.path = join(folder, 'setup-link');
  }

  /** The token of the link; empty without one. */
  async token(): Promise<string> {
    const link = await readFile(this.path, 'utf8').catch(() => '');
    return link.trim().split('#')[1] ?? '';
  }

  /** Why it could not be written; null: it could. */
  async write(link: string): Promise<string | null> {
    const draft = `${this.path}.${process.pid}`;
    try {
      await mkdir(this.folder, { recursive: true });
      await rm(draft, { force: true });
      await writeFile(draft, `${link}\n`, { mode: 0o600, flag: 'wx' });
      await rename(draft, this.path);
      return null;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? String(error);
    }
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }
}
