import { createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { UsageError } from '../common/usage.error.js';

type Content = AsyncGenerator<string | Buffer>;

/** Opens a backup's file; an unreadable file is reported before anything else starts. */
export async function openBackup(from: string): Promise<Readable> {
  try {
    const file = await open(from);
    if (!(await file.stat()).isDirectory()) return file.createReadStream();
    await file.close();
    throw new UsageError(`${from} cannot be read: it is a folder.`);
  } catch (error) {
    throw fileFault(error, from, 'read');
  }
}

/** Writes a backup to a new file that only its owner can read, or to standard output; returns its size. */
export async function writeBackup(content: Content, to: string, packed: boolean): Promise<number> {
  if (to === '-') return write(content, packed, process.stdout);
  if (existsSync(to)) throw new UsageError(`${to} already exists. Name a new file.`);
  // Files with the final name are complete.
  const draft = `${to}.${process.pid}.part`;
  try {
    const bytes = await write(content, packed, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }));
    await rename(draft, to);
    return bytes;
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw fileFault(error, to, 'written');
  }
}

/** Adds the file's name to system errors; other errors stay as they are. */
export function fileFault(error: unknown, file: string, verb: 'read' | 'written'): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined || code === undefined) return error;
  return new UsageError(`${file} cannot be ${verb}: ${REASONS[code] ?? code}.`);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'the account that runs this command has no permission',
  EPERM: 'the account that runs this command has no permission',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
};

async function write(content: Content, packed: boolean, target: NodeJS.WritableStream): Promise<number> {
  let bytes = 0;
  const counter = new Transform({
    transform(part: Buffer, _encoding, done) {
      bytes += part.length;
      done(null, part);
    },
  });
  const end = target !== process.stdout;
  await pipeline([content, ...(packed ? [createGzip()] : []), counter, target], { end });
  return bytes;
}
