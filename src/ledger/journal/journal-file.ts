import { type FileHandle, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { headLine } from './journal-record.js';

/** Another process took over the file during a write and may not have read the last lines. */
export class FileTakenError extends Error {
  constructor() {
    super('another process has taken over the file of the journal');
  }
}

export class JournalFile {
  calls = 0;
  bytes = 0;

  private constructor(
    readonly path: string,
    private readonly handle: FileHandle,
    private readonly inode: bigint,
  ) {}

  static async create(file: string, ledgerId: string): Promise<JournalFile> {
    const handle = await open(file, 'ax', 0o600);
    try {
      const { ino } = await handle.stat({ bigint: true });
      const journal = new JournalFile(file, handle, ino);
      await journal.append(headLine(ledgerId), 0);
      await syncFolder(path.dirname(file));
      return journal;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /**
   * Resolves when the lines are on disk and will certainly be read. A process that takes over a file renames it before
   * it reads it, so a file that still has its name has not been read.
   */
  async append(lines: string, calls: number): Promise<void> {
    await this.handle.appendFile(lines);
    await this.handle.datasync();
    if (!(await this.hasItsName())) throw new FileTakenError();
    this.calls += calls;
    this.bytes += Buffer.byteLength(lines);
  }

  async close(): Promise<void> {
    await this.handle.close();
  }

  private async hasItsName(): Promise<boolean> {
    const named = await stat(this.path, { bigint: true }).catch(() => null);
    return named?.ino === this.inode;
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
