import type { Command } from 'commander';
import { processSettings } from '../config/settings.js';
import { print } from './output.js';

export function addConfigCommands(program: Command): void {
  program
    .command('config:check')
    .description('validate the configuration without starting')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) => {
      const { configDir, models, upstreams } = processSettings();
      print({ valid: true, configDir, models: models.length, upstreams: upstreams.size }, json === true);
    });
}
