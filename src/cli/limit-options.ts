import type { INestApplicationContext } from '@nestjs/common';
import { type Command, Option } from 'commander';
import { COMMAND_LINE } from '../audit/audit.types.js';
import { GuardAssignmentsService, type GuardSubject } from '../auth/guard-assignments.service.js';
import {
  LIMITS,
  type LimitChange,
  type LimitInputs,
  type LimitScope,
  type LimitValues,
  type ShownLimits,
  toLimitChange,
  toShownLimits,
} from '../limits/values/limit-values.js';
import { toList } from './input.js';

export const CACHE_OPTION =
  "answer equal calls from the cache for this long (1h), 'none', or 'default': as the model's row says";

/** By commander's names of the options: those of the limits, without the unit of budgets. */
export type LimitOptions = {
  [Name in keyof ShownLimits as Name extends `${infer Budget}Usd` ? Budget : Name]?: string;
};

/** Adds the options of limits and budgets, such as `--requests-per-minute`. */
export function addLimitOptions(command: Command, scope: LimitScope): Command {
  const others = scope === 'user' ? "'none' or 'plan'" : "or 'none'";
  for (const { shown, period, words } of Object.values(LIMITS)) {
    const value = period === null ? '<n>' : '<usd>';
    const zone = period === 'day' || period === 'month' ? ' (UTC)' : '';
    const option = new Option(`${optionOf(shown)} ${value}`, `${words}${zone}, ${others}`);
    command.addOption(scope === 'plan' && period === 'total' ? option.hideHelp() : option);
  }
  return command;
}

/** Throws a `UsageError` that names the invalid option. */
export function toLimits(options: LimitOptions, scope: LimitScope): LimitChange {
  const inputs: LimitInputs = {};
  for (const { shown } of Object.values(LIMITS)) inputs[shown] = options[withoutUnit(shown)];
  return toLimitChange(inputs, { allowsPlan: scope === 'user', fieldOf: optionOf });
}

/** The output of a command that sets limits. */
export function toLimitsRow(scope: LimitScope, id: string, values: LimitValues): Readonly<Record<string, unknown>> {
  return { scope, id, ...toShownLimits(values) };
}

export interface GuardsOption {
  guards?: string;
}

export function addGuardsOption(command: Command): Command {
  return command.option('--guards <names>', "guards of gateway.yaml for its calls, separated by commas, or 'none'");
}

/** Throws a `UsageError` for a guard that gateway.yaml does not have. */
export function assertGuards(services: INestApplicationContext, names: string | undefined): void {
  services.get(GuardAssignmentsService).assertKnown(toGuards(names));
}

function toGuards(names: string | undefined): string[] {
  return names === undefined || names === 'none' ? [] : toList(names);
}

/** Sets the guards if they were named. Returns those that apply then, for the output; nothing where there are none. */
export async function setGuards(
  services: INestApplicationContext,
  kind: GuardSubject,
  id: string,
  names: string | undefined,
): Promise<{ readonly guards?: readonly string[] }> {
  const assignments = services.get(GuardAssignmentsService);
  const input = { guards: toGuards(names), mayRemove: true };
  const set = names === undefined ? assignments.get(kind, id) : assignments.set(kind, id, input, COMMAND_LINE);
  const { guards } = await set;
  return guards.length > 0 || names !== undefined ? { guards } : {};
}

function optionOf(name: keyof ShownLimits): string {
  return `--${withoutUnit(name).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function withoutUnit(name: keyof ShownLimits): keyof LimitOptions {
  return name.replace(/Usd$/, '') as keyof LimitOptions;
}
