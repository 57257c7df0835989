import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { UsersService } from '../accounts/users.service.js';
import { COMMAND_LINE } from '../audit/audit.types.js';
import type { NewPlan, PlanDetails } from '../billing/plan.types.js';
import { PlanDefinitionsService } from '../billing/plan-definitions.service.js';
import { PlansService } from '../billing/plans.service.js';
import { UsageError } from '../common/usage.error.js';
import { toShownLimits } from '../limits/values/limit-values.js';
import { toDate, toModels, toTiers } from './input.js';
import {
  addGuardsOption,
  addLimitOptions,
  assertGuards,
  type LimitOptions,
  setGuards,
  toLimits,
  toLimitsRow,
} from './limit-options.js';
import { print } from './output.js';
import { findProject } from './project.commands.js';
import { printResult, withServices } from './services.js';

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

interface PlanOptions extends LimitOptions {
  plan: string;
  name?: string;
  tiers?: string;
  models?: string;
  rank?: string;
  guards?: string;
  json?: boolean;
}

export function addPlanDefinitionCommands(program: Command): void {
  program.command('plan:list').description('list the plans').action(list);
  addPlanOptions(program.command('plan:create').description('create a plan'))
    .option('--if-missing', 'if there is one with this id, print that one, unchanged')
    .action(create);
  addPlanOptions(program.command('plan:set').description('change a plan for all of its users')).action(set);
  for (const retired of [true, false]) {
    program
      .command(retired ? 'plan:retire' : 'plan:reinstate')
      .description(
        retired ? 'retire a plan: new users cannot get it; existing users keep it' : 'reinstate a retired plan',
      )
      .requiredOption('--plan <plan>', 'id of the plan')
      .action((options: PlanOptions) => setRetired(options, retired));
  }
}

function addPlanOptions(command: Command): Command {
  command
    .requiredOption('--plan <plan>', 'id of the plan')
    .option('--name <name>', 'its name')
    .option('--tiers <ids>', "the tiers whose models it includes, separated by commas, or 'none'")
    .option('--models <ids>', "additional models that it includes, separated by commas, or 'none'")
    .option('--rank <n>', 'if a user has several plans, the one with the highest rank applies');
  addGuardsOption(command);
  return addLimitOptions(command, 'plan');
}

async function list({ json }: { json?: boolean }): Promise<void> {
  const plans = await withServices((services) => services.get(PlanDefinitionsService).list());
  print(plans.map(toRow), json);
}

async function create(options: PlanOptions & { ifMissing?: boolean }): Promise<void> {
  const input = toPlan(options);
  await printResult(options.json, async (services) => {
    const plans = services.get(PlanDefinitionsService);
    const existing = options.ifMissing ? (await plans.list()).find(({ id }) => id === input.id) : undefined;
    if (existing) return toRow(existing);
    assertGuards(services, options.guards);
    const plan = await plans.create(input, COMMAND_LINE);
    await setGuards(services, 'plan', plan.id, options.guards);
    return toRow(plan);
  });
}

async function set(options: PlanOptions): Promise<void> {
  const { id, ...change } = toPlan(options);
  await printResult(options.json, async (services) => {
    const { limits } = await services.get(PlanDefinitionsService).update(id, change, COMMAND_LINE);
    const guards = await setGuards(services, 'plan', id, options.guards);
    return { ...toLimitsRow('plan', id, limits), ...guards };
  });
}

async function setRetired({ plan: id, json }: PlanOptions, retired: boolean): Promise<void> {
  const plan = await withServices((services) =>
    services.get(PlanDefinitionsService).update(id, { retired }, COMMAND_LINE),
  );
  print(toRow(plan), json);
}

function toPlan({ plan: id, name, tiers, models, rank, ...options }: PlanOptions): NewPlan {
  return {
    id,
    name,
    tiers: namesOf(tiers, toTiers),
    models: namesOf(models, toModels),
    rank: rank === undefined ? undefined : Number(rank),
    limits: toLimits(options, 'plan'),
  };
}

function namesOf(value: string | undefined, toNames: (value: string) => string[]): string[] | undefined {
  if (value === undefined) return undefined;
  return value === 'none' ? [] : toNames(value);
}

function toRow({ id, name, tiers, models, rank, isRetired, limits }: PlanDetails) {
  return { id, name, tiers, models, rank, retired: isRetired, ...toShownLimits(limits) };
}
