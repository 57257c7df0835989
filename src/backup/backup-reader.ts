import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UsageError } from '../common/usage.error.js';
import {
  type BackupHead,
  END_OF_ROWS,
  END_OF_STATEMENT,
  FORMAT,
  isCopyFrom,
  STOP_ON_ERROR,
  TITLE,
} from './backup-format.js';

/** The steps of a restore in order: a statement, or rows for a statement that copies them in. */
export type BackupItem =
  | { readonly statement: string; readonly rows?: undefined }
  | { readonly statement: string; readonly rows: AsyncGenerator<Buffer> };

/** Reads a backup, compressed by gzip or not. */
export class BackupReader {
  private constructor(
    readonly head: BackupHead,
    private readonly reader: MarkedReader,
  ) {}

  static async open(source: Readable): Promise<BackupReader> {
    const reader = new MarkedReader((await unpacked(source))[Symbol.asyncIterator]());
    if (!(await reader.startsWith(`${TITLE}\n`))) throw new UsageError('This file is not a backup of the gateway.');
    await reader.text('\n');
    const head: BackupHead = JSON.parse((await reader.text('\n')).replace(/^-- /, ''));
    if (head.format > FORMAT) {
      throw new UsageError(`This backup was made by version ${head.program} of the gateway in a newer format.`);
    }
    return new BackupReader(head, reader);
  }

  /** Read the rows of an item before the next item. */
  async *items(): AsyncGenerator<BackupItem> {
    while (!(await this.reader.isAtEnd())) {
      const line = await this.reader.text('\n');
      this.reader.putBack('\n');
      if (isCopyFrom(line)) yield { statement: line, rows: this.rows() };
      else yield* this.statement(line);
    }
  }

  private async *statement(line: string): AsyncGenerator<BackupItem> {
    const statement = line + (await this.reader.text(END_OF_STATEMENT));
    if (statement !== STOP_ON_ERROR) yield { statement };
  }

  /** Rows start after the line break that was put back and end with a line break; without rows there is neither. */
  private async *rows(): AsyncGenerator<Buffer> {
    let skipped = false;
    for await (const part of this.reader.until(END_OF_ROWS)) {
      yield skipped ? part : part.subarray(1);
      skipped = true;
    }
    if (skipped) yield Buffer.from('\n');
  }
}

async function unpacked(source: Readable): Promise<Readable> {
  const parts: AsyncIterator<Buffer> = source[Symbol.asyncIterator]();
  const first = await parts.next();
  if (first.done) return Readable.from([]);
  const whole = Readable.from(following(first.value, parts), { objectMode: false });
  const isPacked = first.value[0] === 0x1f && first.value[1] === 0x8b;
  return isPacked ? Readable.from(gunzipped(whole), { objectMode: false }) : whole;
}

async function* following(first: Buffer, parts: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await parts.next(); !next.done; next = await parts.next()) yield next.value;
}

async function* gunzipped(packed: Readable): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  packed.on('error', (error) => gunzip.destroy(error));
  try {
    yield* packed.pipe(gunzip);
  } catch (error) {
    throw new UsageError(`The backup is truncated or damaged (${error instanceof Error ? error.message : error}).`);
  }
}

/** Reads bytes in pieces, each up to a mark. The mark is left out. */
class MarkedReader {
  private stored: Buffer = Buffer.alloc(0);

  constructor(private readonly parts: AsyncIterator<Buffer>) {}

  /** The bytes up to the mark as they arrive, without the mark. */
  async *until(mark: string): AsyncGenerator<Buffer> {
    for (;;) {
      const end = this.stored.indexOf(mark);
      // A possible start of a mark is kept until the next bytes arrive.
      const length = end === -1 ? this.stored.length - mark.length + 1 : end;
      const part = this.stored.subarray(0, Math.max(0, length));
      this.stored = this.stored.subarray(part.length + (end === -1 ? 0 : mark.length));
      if (part.length > 0) yield part;
      if (end !== -1) return;
      if (!(await this.readMore())) throw new UsageError('The backup is truncated: its end is missing.');
    }
  }

  async text(mark: string): Promise<string> {
    const parts: Buffer[] = [];
    for await (const part of this.until(mark)) parts.push(part);
    return Buffer.concat(parts).toString();
  }

  async startsWith(text: string): Promise<boolean> {
    while (this.stored.length < text.length && (await this.readMore()));
    return this.stored.subarray(0, text.length).toString() === text;
  }

  putBack(text: string): void {
    this.stored = Buffer.concat([Buffer.from(text), this.stored]);
  }

  async isAtEnd(): Promise<boolean> {
    return this.stored.length === 0 && !(await this.readMore());
  }

  private async readMore(): Promise<boolean> {
    const { done, value } = await this.parts.next();
    if (done) return false;
    this.stored = this.stored.length === 0 ? value : Buffer.concat([this.stored, value]);
    return true;
  }
}
