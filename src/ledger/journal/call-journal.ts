import { access, constants, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ClosedCall } from '../call-record.types.js';
import { callLine, FileTakenError, JournalFile } from './journal-record.js';

/** Size limit for all files of a process: about 300,000 calls. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Above this share of the limit, calls that would have to be written to the journal are not admitted. */
const FULL_THRESHOLD = 0.9;
/** If a write takes longer, the disk counts as hung. */
const WRITE_LIMIT_MS = 5000;
const NO_RESPONSE = 'the disk of the journal does not respond';

interface WaitingLine {
  readonly line: string;
  resolve(): void;
  reject(error: unknown): void;
}

/** A file to which no more calls are written. */
export interface SealedFile {
  readonly path: string;
  readonly bytes: number;
  readonly calls: number;
}

export class CallJournal {
  private file: JournalFile | null = null;
  private sealed: readonly SealedFile[] = [];
  private files = 0;
  private waiting: WaitingLine[] = [];
  private waitingBytes = 0;
  private isStuck = false;
  private work: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly folder: JournalFolder,
    private readonly instanceId: string,
    private readonly ledgerId: string,
    private readonly mostBytes = MAX_BYTES,
  ) {}

  get isEmpty(): boolean {
    return this.sealed.length === 0 && this.file === null;
  }

  /** The number of this process's calls in its files, without files that it took over. */
  get calls(): number {
    return this.sealed.reduce((sum, { calls }) => sum + calls, this.file?.calls ?? 0);
  }

  /** Whether new calls may be admitted that have to be written here. */
  get hasRoom(): boolean {
    return !this.isStuck && this.bytes < this.mostBytes * FULL_THRESHOLD;
  }

  /** Resolves when the call is on disk. Rejects when the journal is full or cannot be written. */
  append(call: ClosedCall): Promise<void> {
    const line = callLine(call);
    const bytes = Buffer.byteLength(line);
    if (this.isStuck) return Promise.reject(new Error(NO_RESPONSE));
    if (this.bytes + bytes > this.mostBytes) return Promise.reject(new Error('the journal is full'));
    this.waitingBytes += bytes;
    return new Promise((resolve, reject) => {
      this.waiting.push({ line, resolve, reject });
      if (this.waiting.length === 1) void this.next(() => this.writeWaiting());
    });
  }

  /** Starts a new file for later calls. Returns the earlier files, oldest first. */
  async seal(): Promise<readonly SealedFile[]> {
    await this.next(() => this.sealFile());
    return this.sealed;
  }

  /** Makes another process's file one of this process's; null when another process was faster. */
  async takeOver(path: string): Promise<SealedFile | null> {
    const own = this.nextPath();
    if (!(await this.folder.rename(path, own))) return null;
    const file = { path: own, bytes: 0, calls: 0 };
    this.sealed = [...this.sealed, file];
    return file;
  }

  /** Call it when the file's calls are in the ledger. */
  async remove(file: SealedFile): Promise<void> {
    await this.folder.remove(file.path);
    this.sealed = this.sealed.filter((other) => other !== file);
  }

  private get bytes(): number {
    return this.sealed.reduce((sum, { bytes }) => sum + bytes, (this.file?.bytes ?? 0) + this.waitingBytes);
  }

  private next<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.work.then(work);
    this.work = done.catch(() => undefined);
    return done;
  }

  private nextPath(): string {
    return this.folder.fileOf(this.instanceId, ++this.files);
  }

  private async writeWaiting(): Promise<void> {
    const batch = this.waiting;
    this.waiting = [];
    this.waitingBytes = 0;
    if (batch.length === 0) return;
    const limit = setTimeout(() => this.hang(batch), WRITE_LIMIT_MS);
    try {
      await this.write(batch.map(({ line }) => line).join(''), batch.length);
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
      // The file may contain some of the lines already.
      await this.sealFile();
    } finally {
      clearTimeout(limit);
      this.isStuck = false;
    }
  }

  private hang(batch: readonly WaitingLine[]): void {
    this.isStuck = true;
    for (const { reject } of [...batch, ...this.waiting]) reject(new Error(NO_RESPONSE));
    this.waiting = [];
    this.waitingBytes = 0;
  }

  private async write(lines: string, calls: number): Promise<void> {
    for (;;) {
      try {
        this.file ??= await JournalFile.create(this.nextPath(), this.ledgerId);
        await this.file.append(lines, calls);
        return;
      } catch (error) {
        if (!(error instanceof FileTakenError)) throw error;
        await this.file?.close();
        this.file = null;
      }
    }
  }

  private async sealFile(): Promise<void> {
    const { file } = this;
    if (file === null) return;
    this.file = null;
    this.sealed = [...this.sealed, { path: file.path, bytes: file.bytes, calls: file.calls }];
    await file.close().catch(() => undefined);
  }
}

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
