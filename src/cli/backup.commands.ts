import type { Command } from 'commander';
import { BackupService } from '../backup/backup.service.js';
import type { BackupSummary } from '../backup/backup.types.js';
import { RestoreService } from '../backup/restore.service.js';
import { UsageError } from '../common/usage.error.js';
import { openBackup, writeBackup } from './backup-file.js';
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

const CONTENT_OPTION = 'with the prompts and answers of the content log, still encrypted';

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
