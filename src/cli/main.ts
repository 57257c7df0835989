import 'reflect-metadata';
import { Command } from 'commander';
import { SettingsError } from '../config/settings.error.js';
import { addAuditCommands } from './audit.commands.js';
import { addBackupCommands } from './backup.commands.js';
import { addBudgetCommands } from './budget.commands.js';
import { addConfigCommands } from './config.commands.js';
import { addKeyCommands } from './key.commands.js';
import { addLimitCommands } from './limit.commands.js';
import { addPlanCommands } from './plan.commands.js';
import { addPlanDefinitionCommands } from './plan-definition.commands.js';
import { addProjectCommands } from './project.commands.js';
import { addSetupCommands } from './setup.commands.js';
import { addUpstreamCommands } from './upstream.commands.js';
import { addUserCommands } from './user.commands.js';

const program = new Command('gateway')
  .description('The command line of the Chat Completion Gateway.')
  .showHelpAfterError('(add --help for the options)');
addSetupCommands(program);
addUserCommands(program);
addPlanCommands(program);
addPlanDefinitionCommands(program);
addKeyCommands(program);
addLimitCommands(program);
addProjectCommands(program);
addBudgetCommands(program);
addAuditCommands(program);
addBackupCommands(program);
addConfigCommands(program);
addUpstreamCommands(program);
for (const command of program.commands) command.option('--json', 'print JSON');

try {
  await program.parseAsync();
} catch (error) {
  const reason = error instanceof Error ? error.message || String(error) : String(error);
  const title = error instanceof SettingsError ? 'The configuration contains errors:\n' : '';
  process.stderr.write(`${title}${reason}\n`);
  process.exitCode = 1;
}
