import type { Command } from 'commander';
import { missingKeysWarning } from '../config/missing-keys.js';
import type { Settings } from '../config/settings.js';
import { unpricedWarning } from '../config/unpriced-models.js';
import { ConfigChangedService } from '../database/config-changed.service.js';
import { cliSettings } from './cli-settings.js';
import { print } from './output.js';
import { withServices } from './services.js';

export function addConfigCommands(program: Command): void {
  program.command('config:check').description('validate the configuration without starting').action(check);
  program
    .command('config:reload')
    .description('let every running gateway on the database reload its models, upstreams and routing')
    .action(async ({ json }: { json?: boolean }) => {
      // Each gateway validates its own files, and reports mistakes in its log and its console.
      await withServices((services) => services.get(ConfigChangedService).notify(null), 'left out');
      const { configDir } = cliSettings();
      print({ told: true, configDir }, json);
    });
}

async function check({ json }: { json?: boolean }): Promise<void> {
  const settings = cliSettings();
  const { configDir, models, upstreams } = settings;
  print({ valid: true, configDir, models: models.length, upstreams: upstreams.size }, json);
  const warning = models.every(({ hasPrice }) => hasPrice) ? null : await warningOf(settings);
  for (const line of [missingKeysWarning(settings), warning]) {
    if (line) process.stderr.write(`${line}\n`);
  }
}

/** The adapters decide which upstreams are live; their code is loaded only when needed. */
async function warningOf(settings: Settings): Promise<string | null> {
  const { withUpstreams } = await import('./upstream-cli.module.js');
  const { UpstreamStatusService } = await import('../upstreams/status/upstream-status.service.js');
  return withUpstreams(async (services) => {
    const statuses = services.get(UpstreamStatusService);
    return unpricedWarning(settings, (upstream) => statuses.isLive(upstream));
  });
}
