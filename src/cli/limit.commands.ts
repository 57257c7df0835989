import type { Command } from 'commander';
import { UsersService } from '../accounts/users.service.js';
import { COMMAND_LINE } from '../audit/audit.types.js';
import { LedgerRepairService } from '../ledger/ledger-repair.service.js';
import { LedgerVerificationService } from '../ledger/ledger-verification.service.js';
import { type Budget, BudgetsService } from '../limits/budgets.service.js';
import { UserLimitsService } from '../limits/settings/limit-settings.service.js';
import { addLimitOptions, type LimitOptions, toLimits, toLimitsRow } from './limit-options.js';
import { Progress, print, printBatches } from './output.js';
import { printResult, withServices } from './services.js';

/** Without a value to set, prints the current values. */
export function addLimitCommands(program: Command): void {
  const user = program
    .command('user:set')
    .description("set a user's limits and budgets, which override those of the plan")
    .requiredOption('--email <email>', 'e-mail address');
  addLimitOptions(user, 'user').action(setUser);
}

async function setUser({ email, json, ...options }: LimitOptions & { email: string; json?: boolean }): Promise<void> {
  const change = toLimits(options, 'user');
  await printResult(json, async (services) => {
    const { id } = await services.get(UsersService).getByEmail(email);
    const { values } = await services.get(UserLimitsService).set(id, change, COMMAND_LINE);
    return toLimitsRow('user', id, values);
  });
}

export function addBudgetCommands(program: Command): void {
  program
    .command('budget:list')
    .description('list the budgets in force and how much of each is spent')
    .action(listBudgets);
  program
    .command('ledger:verify')
    .description(
      'prove that the ledger is consistent: each call once, balances equal to their calls, no budget exceeded',
    )
    .action(verifyLedger);
  program
    .command('ledger:repair')
    .description('make balances equal to their calls again, print what was changed, and record it in the audit log')
    .action(repairLedger);
}

async function listBudgets({ json }: { json?: boolean }): Promise<void> {
  await withServices((services) =>
    printBatches(services.get(BudgetsService).batches(), (budget) => (json ? { ...budget } : toRow(budget)), json),
  );
}

function toRow(budget: Budget) {
  const { amountUsd, spentUsd, reservedUsd } = budget;
  const over = spentUsd - amountUsd;
  const left = over > 0 ? `exceeded by ${dollars(over)}` : dollars(Math.max(0, amountUsd - spentUsd - reservedUsd));
  const { resetsAt, uncoveredUsd, ...rest } = budget;
  return { ...rest, leftUsd: left, resetsAt };
}

/** Exact to the nano-dollar, without trailing zeros. */
function dollars(usd: number): string {
  return usd.toFixed(9).replace(/\.?0+$/, '');
}

async function verifyLedger({ json }: { json?: boolean }): Promise<void> {
  const progress = new Progress();
  const verdict = await withServices((services) =>
    services.get(LedgerVerificationService).verify(({ step, reached }) => progress.tell(`${step}: ${reached}`)),
  );
  progress.end();
  const { underestimates = {}, ...others } = verdict;
  const kinds = Object.entries(underestimates).map(([kind, calls]) => `${calls} of ${kind}`);
  print(json ? { ...verdict } : { ...others, ...(kinds.length > 0 && { underestimates: kinds }) }, json);
  if (!verdict.ok) process.exitCode = 1;
}

async function repairLedger({ json }: { json?: boolean }): Promise<void> {
  const progress = new Progress();
  const repaired = await withServices((services) =>
    services.get(LedgerRepairService).repair(COMMAND_LINE, ({ step, reached }) => progress.tell(`${step}: ${reached}`)),
  );
  progress.end();
  print(
    repaired.map((value) => ({ ...value })),
    json,
  );
}
