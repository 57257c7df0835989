import { createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Command } from 'commander';
import { BackupService } from '../backup/backup.service.js';
import type { BackupSummary } from '../backup/backup-format.js';
import { RestoreService } from '../backup/restore.service.js';
import { UsageError } from '../common/usage.error.js';
import { print } from './output.js';
import { withoutMigrations } from './services.js';

interface ToOptions {
  to: string;
  json?: boolean;
  withContent?: boolean;
}

interface FromOptions {
  from: string;
  replace?: boolean;
  json?: boolean;
}

const CONTENT_OPTION = 'with the prompts and answers of the content log and of remembered responses, still encrypted';

export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description('write the whole database to a file, also while the gateway serves; it contains secrets')
    .requiredOption('--to <file>', 'the new file, compressed by gzip; - for standard output')
    .option('--with-content', CONTENT_OPTION)
    .action((options: ToOptions) => backUp(options, true));
  program
    .command('export')
    .description('write it as plain SQL, for another Postgres: for `restore` with its DATABASE_URL, or for psql')
    .requiredOption('--to <file>', 'the new file, compressed if its name ends with .gz; - for standard output')
    .option('--with-content', CONTENT_OPTION)
    .action((options: ToOptions) => backUp(options, options.to.endsWith('.gz')));
  program
    .command('restore')
    .description('fill an empty database from a file of `backup` or `export`, and verify the result')
    .requiredOption('--from <file>', 'the file; - for standard input')
    .option('--replace', 'replace everything in the database')
    .action(restore);
}

async function backUp({ to, json, withContent }: ToOptions, packed: boolean): Promise<void> {
  if (to === '-' && json) throw new UsageError('With --to - standard output is the backup: do not use --json.');
  const done = await withoutMigrations((services) =>
    services.get(BackupService).backUp(async ({ head, content }) => {
      const bytes = await writeBackup(content, to, packed);
      return { file: to, bytes, program: head.program, createdAt: head.createdAt, ...totalsOf(head), summary: head };
    }, withContent),
  );
  if (to !== '-') report(done, json);
}

async function restore({ from, replace, json }: FromOptions): Promise<void> {
  const source = from === '-' ? process.stdin : await openBackup(from);
  const done = await withoutMigrations(async (services) => {
    const { head, ...restored } = await services.get(RestoreService).restore(source, { replace: replace === true });
    const { program, createdAt } = head;
    return { file: from, replaced: restored.replaced, program, createdAt, ...totalsOf(restored), summary: restored };
  });
  report(done, json);
}

interface Totals {
  readonly rows: number;
  readonly calls: number;
  readonly costNanodollars: string;
}

function totalsOf({ tables, balances }: BackupSummary): Totals {
  return {
    rows: Object.values(tables).reduce((sum, rows) => sum + rows, 0),
    calls: balances.reduce((sum, { calls }) => sum + calls, 0),
    costNanodollars: String(balances.reduce((sum, { costNanodollars }) => sum + BigInt(costNanodollars), 0n)),
  };
}

function report({ summary, ...totals }: Totals & { summary: BackupSummary }, json = false): void {
  const { tables, balances } = summary;
  if (json) {
    print({ ...totals, tables, balances }, true);
    return;
  }
  print(Object.entries(tables).map(([table, rows]) => ({ table, rows })));
  process.stdout.write('\n');
  print(
    balances.map(({ email, userId, keyId, calls, tokens, costNanodollars }) => ({
      ...{ user: email ?? userId, key: keyId, calls, tokens, 'cost in nano-dollars': costNanodollars },
    })),
  );
  process.stdout.write('\n');
  print({ ...totals });
  process.stdout.write('\nRoles belong to the server and are not in the backup.\n');
}

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
