import type { Command } from 'commander';
import { SetupService } from '../accounts/setup.service.js';
import { UsageError } from '../common/usage.error.js';
import { processSettings } from '../config/settings.js';
import { print } from './output.js';
import { withServices } from './services.js';

export function addSetupCommands(program: Command): void {
  program
    .command('setup:link')
    .description('make the one-time link for the first administrator; an earlier one dies')
    .option('--json', 'print JSON')
    .action(link);
}

async function link({ json }: { json?: boolean }): Promise<void> {
  const token = await withServices((services) => services.get(SetupService).issueToken());
  if (token === null) throw new UsageError('Set-up is over: there has been an administrator.');
  const { appUrl, port } = processSettings();
  print({ link: `${appUrl ?? `http://localhost:${port}`}/setup#${token}` }, json === true);
}
