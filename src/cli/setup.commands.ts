import type { Command } from 'commander';
import { SetupService } from '../accounts/setup.service.js';
import { SetupLinkFile } from '../common/setup-link.file.js';
import { UsageError } from '../common/usage.error.js';
import { cliSettings } from './input.js';
import { print } from './output.js';
import { withServices } from './services.js';

export function addSetupCommands(program: Command): void {
  program
    .command('setup:link')
    .description('create the one-time link for the first administrator; earlier links stop working')
    .action(link);
}

async function link({ json }: { json?: boolean }): Promise<void> {
  const token = await withServices((services) => services.get(SetupService).issueToken());
  if (token === null) throw new UsageError('Setup is complete: there is or was an administrator.');
  const { appUrl, port, dataDir } = cliSettings();
  const file = new SetupLinkFile(dataDir);
  // With PORT=0 only the gateway knows its port; it writes it to the file.
  const known = appUrl ?? (port === 0 ? await file.origin() : `http://localhost:${port}`);
  const link = `${known ?? 'http://localhost:PORT'}/setup#${token}`;
  await file.replace(link);
  print({ link }, json);
  if (known === null && !json)
    process.stdout.write('\nReplace PORT by the port that the gateway printed when it started.\n');
}
