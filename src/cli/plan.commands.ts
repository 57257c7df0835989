import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { UsersService } from '../accounts/users.service.js';
import { COMMAND_LINE } from '../audit/audit.types.js';
import { PlansService } from '../billing/plans.service.js';
import { UsageError } from '../common/usage.error.js';
import { toDate } from './input.js';
import { findProject } from './project.commands.js';
import { printResult } from './services.js';

interface HolderOptions {
  email?: string;
  project?: string;
  json?: boolean;
}

interface GrantOptions extends HolderOptions {
  plan: string;
  until?: string;
}

export function addPlanCommands(program: Command): void {
  ofHolder(program, 'plan:grant', 'grant a plan to a user or project from now on; granting it again sets a new end')
    .option('--plan <plan>', 'id of the plan', 'pro')
    .option('--until <iso>', 'when it ends (ISO 8601); by default it does not end')
    .action(grant);
  ofHolder(program, 'plan:revoke', 'end all plans granted to a user or project').action(revoke);
}

function ofHolder(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .option('--email <email>', 'e-mail address of the user')
    .option('--project <project>', 'id or name of a project, instead of a user');
}

/** The user who gets the plan, and its label in the output. */
async function holderOf(services: INestApplicationContext, { email, project }: HolderOptions) {
  if ((email === undefined) === (project === undefined)) throw new UsageError('Name either --email or --project.');
  if (project === undefined) {
    const user = await services.get(UsersService).getByEmail(email ?? '');
    return { userId: user.id, shown: { email: user.email } };
  }
  const { userId, name } = await findProject(services, project);
  return { userId, shown: { project: name } };
}

async function grant({ plan, until, json, ...holder }: GrantOptions): Promise<void> {
  const end = until === undefined ? null : toDate(until);
  await printResult(json, async (services) => {
    const { userId, shown } = await holderOf(services, holder);
    const plans = services.get(PlansService);
    const { planId, startsAt, endsAt } = await plans.grant(userId, plan, end, 'cli', COMMAND_LINE);
    return { ...shown, plan: planId, startsAt, endsAt };
  });
}

async function revoke({ json, ...holder }: HolderOptions): Promise<void> {
  await printResult(json, async (services) => {
    const { userId, shown } = await holderOf(services, holder);
    return { ...shown, ended: await services.get(PlansService).revoke(userId, COMMAND_LINE) };
  });
}
