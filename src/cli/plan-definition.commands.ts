import type { Command } from 'commander';
import { COMMAND_LINE } from '../audit/audit.types.js';
import type { NewPlan, PlanDetails } from '../billing/plan.types.js';
import { PlanDefinitionsService } from '../billing/plan-definitions.service.js';
import { toShownLimits } from '../limits/values/limit-values.js';
import { toModels, toTiers } from './input.js';
import { addLimitOptions, type LimitOptions, toLimits, toLimitsRow } from './limit-options.js';
import { print } from './output.js';
import { withServices } from './services.js';

interface PlanOptions extends LimitOptions {
  plan: string;
  name?: string;
  tiers?: string;
  models?: string;
  rank?: string;
  json?: boolean;
}

export function addPlanDefinitionCommands(program: Command): void {
  program.command('plan:list').description('list the plans').action(list);
  addPlanOptions(program.command('plan:create').description('create a plan')).action(create);
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
  return addLimitOptions(command, 'plan');
}

async function list({ json }: { json?: boolean }): Promise<void> {
  const plans = await withServices((services) => services.get(PlanDefinitionsService).list());
  print(plans.map(toRow), json);
}

async function create(options: PlanOptions): Promise<void> {
  const wish = toPlan(options);
  const plan = await withServices((services) => services.get(PlanDefinitionsService).create(wish, COMMAND_LINE));
  print(toRow(plan), options.json);
}

async function set(options: PlanOptions): Promise<void> {
  const { id, ...change } = toPlan(options);
  const plan = await withServices((services) => services.get(PlanDefinitionsService).update(id, change, COMMAND_LINE));
  print(toLimitsRow('plan', id, plan.limits), options.json);
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
