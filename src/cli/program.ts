import 'reflect-metadata';
import { Command } from 'commander';
import { addApplyCommands } from './apply.commands.js';
import { addAuditCommands } from './audit.commands.js';
import { addBackupCommands } from './backup.commands.js';
import { addConfigCommands } from './config.commands.js';
import { adoptGateway } from './gateway-variables.js';
import { addKeyCommands } from './key.commands.js';
import { addBudgetCommands, addLimitCommands } from './limit.commands.js';
import { addPlanCommands, addPlanDefinitionCommands } from './plan.commands.js';
import { addProjectCommands } from './project.commands.js';
import { addReportCommands } from './report.commands.js';
import { addSetupCommands } from './setup.commands.js';
import { addTokenCommands } from './token.commands.js';
import { addUpstreamCommands } from './upstream.commands.js';
import { addUserCommands } from './user.commands.js';

/** All commands; loading what they use takes most of their time. */
export function gatewayProgram(): Command {
  const program = new Command('gateway')
    .description('The command line of the Chat Completion Gateway.')
    .showHelpAfterError('(add --help for the options)');
  addSetupCommands(program);
  addApplyCommands(program);
  addUserCommands(program);
  addPlanCommands(program);
  addPlanDefinitionCommands(program);
  addKeyCommands(program);
  addTokenCommands(program);
  addLimitCommands(program);
  addProjectCommands(program);
  addBudgetCommands(program);
  addAuditCommands(program);
  addReportCommands(program);
  addBackupCommands(program);
  addConfigCommands(program);
  addUpstreamCommands(program);
  for (const command of program.commands) command.option('--json', 'print JSON');
  program.hook('preAction', () => adoptGateway());
  return program;
}
