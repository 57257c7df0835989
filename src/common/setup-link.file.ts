import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export class SetupLinkFile {
  readonly path: string;

  constructor(private readonly folder: string) {
    this.path = join(folder, 'setup-link');
  }

  async token(): Promise<string> {
    return (await this.link()).split('#')[1] ?? '';
  }

  /** The origin of the gateway that wrote the link; null without a link. */
  async origin(): Promise<string | null> {
    const link = await this.link();
    return URL.canParse(link) ? new URL(link).origin : null;
  }

  /** Replaces an existing link; the owner of the file does not change. */
  async replace(link: string): Promise<void> {
    if ((await this.link()) !== '') await writeFile(this.path, `${link}\n`, { flag: 'r+' }).catch(() => this.remove());
  }

  /** Returns the error code if the file could not be written, otherwise null. */
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

  private async link(): Promise<string> {
    return (await readFile(this.path, 'utf8').catch(() => '')).trim();
  }
}
