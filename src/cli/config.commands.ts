import type { Command } from 'commander';
import { SettingsError } from '../config/config-file.js';
import type { Settings } from '../config/settings.js';
import { settingsWarnings, unpricedWarning } from '../config/warnings.js';
import { ConfigChangedService } from '../database/changes.service.js';
import { cliSettings } from './input.js';
import { print } from './output.js';
import { withServices } from './services.js';

interface ReloadOptions {
  force?: boolean;
  json?: boolean;
}

export function addConfigCommands(program: Command): void {
  program.command('config:check').description('validate the configuration without starting').action(check);
  program
    .command('config:reload')
    .description('let every running gateway on the database reload its models, upstreams and routing')
    .option('--force', 'even if more than half of the models would be removed')
    .action(reload);
}

/** Each process of a gateway validates its own files. */
async function reload({ force = false, json }: ReloadOptions): Promise<void> {
  const { answers, silent } = await withServices(
    (services) => services.get(ConfigChangedService).request(force),
    'left out',
  );
  const refused = answers.filter(({ refusal }) => refusal !== null);
  if (answers.length + silent === 0) throw new Error('No gateway runs on this database: nothing was reloaded.');
  const faults = [
    ...refused.map((answer) => `${answer.process} kept its configuration:\n${answer.refusal}`),
    ...(silent > 0 ? [`${silent} of ${answers.length + silent} processes did not answer; see their logs.`] : []),
  ];
  if (faults.length > 0) throw new Error(faults.join('\n'));
  print({ reloaded: answers.length }, json);
}

async function check({ json }: { json?: boolean }): Promise<void> {
  const settings = settingsOrFaults(json);
  if (!settings) return;
  const { configDir, models, upstreams } = settings;
  print({ valid: true, configDir, models: models.length, upstreams: upstreams.size }, json);
  const warning = models.every(({ hasPrice }) => hasPrice) ? null : await warningOf(settings);
  for (const line of [...settingsWarnings(settings, Date.now()), warning]) if (line) process.stderr.write(`${line}\n`);
}

/** With `--json`, mistakes are the result. */
function settingsOrFaults(json: boolean | undefined): Settings | null {
  try {
    return cliSettings();
  } catch (error) {
    if (!json || !(error instanceof SettingsError)) throw error;
    print({ valid: false, faults: error.faults }, json);
    process.exitCode = 1;
    return null;
  }
}

/** The adapters decide which upstreams are live; their code is loaded only when needed. */
async function warningOf(settings: Settings): Promise<string | null> {
  const { withUpstreams } = await import('./upstream-cli.module.js');
  const { UpstreamStatusService } = await import('../upstreams/upstream-status.service.js');
  return withUpstreams(async (services) => {
    const statuses = services.get(UpstreamStatusService);
    return unpricedWarning(settings, (upstream) => statuses.isLive(upstream));
  });
}
