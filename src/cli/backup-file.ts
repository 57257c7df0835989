import { createWriteStream } from 'node:fs';
import { access, rename, rm } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { UsageError } from '../common/usage.error.js';

type Content = AsyncGenerator<string | Buffer>;

/** Writes a backup to a new file that only its owner may read, or to standard output; gives its size. */
export async function writeBackup(content: Content, to: string, packed: boolean): Promise<number> {
  if (to === '-') return write(content, packed, process.stdout);
  if (await exists(to)) throw new UsageError(`${to} is there already: name a new file.`);
  // What has the name is whole.
  const draft = `${to}.${process.pid}.part`;
  try {
    const bytes = await write(content, packed, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }));
    await rename(draft, to);
    return bytes;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function write(content: Content, packed: boolean, target: NodeJS.WritableStream): Promise<number> {
  let bytes = 0;
  const counter = new Transform({
    transform(part: Buffer, _encoding, done) {
      bytes += part.length;
      done(null, part);
    },
  });
  const end = target !== process.stdout;
  await (packed
    ? pipeline(content, createGzip(), counter, target, { end })
    : pipeline(content, counter, target, { end }));
  return bytes;
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
