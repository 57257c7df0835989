import type { Command } from 'commander';
import { UsersService } from '../accounts/users.service.js';
import { COMMAND_LINE } from '../audit/audit.types.js';
import { PlansService } from '../billing/plans.service.js';
import { toDate } from './input.js';
import { print } from './output.js';
import { withServices } from './services.js';

interface GrantOptions {
  email: string;
  plan: string;
  until?: string;
  json?: boolean;
}

export function addPlanCommands(program: Command): void {
  program
    .command('plan:grant')
    .description('grant a plan to a user from now on; granting it again sets a new end')
    .requiredOption('--email <email>', 'e-mail address')
    .option('--plan <plan>', 'id of the plan', 'pro')
    .option('--until <iso>', 'when it ends (ISO 8601); by default it does not end')
    .option('--json', 'print JSON')
    .action(grant);
  program
    .command('plan:revoke')
    .description('end all plans granted to a user')
    .requiredOption('--email <email>', 'e-mail address')
    .option('--json', 'print JSON')
    .action(revoke);
}

async function grant({ email, plan, until, json }: GrantOptions): Promise<void> {
  const end = until === undefined ? null : toDate(until);
  const row = await withServices(async (services) => {
    const user = await services.get(UsersService).getByEmail(email);
    const plans = services.get(PlansService);
    const { planId, startsAt, endsAt } = await plans.grant(user.id, plan, end, 'cli', COMMAND_LINE);
    return { email: user.email, plan: planId, startsAt, endsAt };
  });
  print(row, json === true);
}

async function revoke({ email, json }: { email: string; json?: boolean }): Promise<void> {
  const row = await withServices(async (services) => {
    const user = await services.get(UsersService).getByEmail(email);
    return { email: user.email, ended: await services.get(PlansService).revoke(user.id, COMMAND_LINE) };
  });
  print(row, json === true);
}
