import type { Command } from 'commander';
import { ConfigChangedService } from '../database/config-changed.service.js';
import { cliSettings } from './cli-settings.js';
import { print } from './output.js';
import { withServices } from './services.js';

export function addConfigCommands(program: Command): void {
  program
    .command('config:check')
    .description('validate the configuration without starting')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) => {
      const { configDir, models, upstreams } = cliSettings();
      print({ valid: true, configDir, models: models.length, upstreams: upstreams.size }, json === true);
    });
  program
    .command('config:reload')
    .description('let every running gateway on the database read its models, upstreams and routing again')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      // Each gateway judges its own files, and says in its log and its console what it finds wrong in them.
      await withServices((services) => services.get(ConfigChangedService).tell(null), 'left out');
      const { configDir } = cliSettings();
      print({ told: true, configDir }, json === true);
    });
}
