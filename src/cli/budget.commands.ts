import type { Command } from 'commander';
import { LedgerVerificationService } from '../ledger/verification/ledger-verification.service.js';
import { type Budget, BudgetsService } from '../limits/budgets.service.js';
import { print, printBatches } from './output.js';
import { Progress } from './progress.js';
import { withServices } from './services.js';

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
  print({ ...verdict }, json);
  if (!verdict.ok) process.exitCode = 1;
}
