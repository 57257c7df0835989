import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { InjectSettings, type Settings } from '../config/settings.js';
import { JournalFolder } from './journal/call-journal.js';
import { readJournal } from './journal/journal-record.js';
import { BudgetCheck } from './verification/budget-check.js';
import {
  BalanceCheck,
  type BalanceDifference,
  duplicateIds,
  monthsWithCalls,
  RowChecks,
  type Slice,
  visitSlices,
} from './verification/checks.js';

export interface LedgerVerdict {
  readonly ok: boolean;
  readonly calls: number;
  /** Ended calls in the journal of this data folder, whose rows are still open or interrupted. */
  readonly waiting: number;
  readonly faults: readonly string[];
  /** Calls that cost more than was reserved, by what was estimated too low; absent: none did. */
  readonly underestimates?: Readonly<Record<string, number>>;
}

export interface VerificationProgress {
  readonly step: 'rows and balances' | 'budgets' | 'ids';
  /** A day, or a number of rows. */
  readonly reached: string;
}

export type OnProgress = (progress: VerificationProgress) => void;

/**
 * Proves from the rows alone that nothing was lost or counted twice: each call has one row, balances equal the sums of
 * their calls to the nano-dollar, only calls in progress have reservations, and no admission exceeded a budget. All
 * statements share one snapshot; each reads at most a day of the ledger, or a page of ids.
 */
@Injectable()
export class LedgerVerificationService {
  private readonly journal: JournalFolder;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @InjectSettings() { dataDir }: Settings,
  ) {
    this.journal = new JournalFolder(dataDir);
  }

  async verify(onProgress: OnProgress = () => undefined): Promise<LedgerVerdict> {
    const waiting = await this.waitingCalls();
    return { ...(await this.verifyLedger(onProgress)), waiting };
  }

  private verifyLedger(onProgress: OnProgress): Promise<Omit<LedgerVerdict, 'waiting'>> {
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      await manager.query('SET TRANSACTION READ ONLY');
      // Compiling a statement takes longer than running it for a day.
      await manager.query('SET LOCAL jit = off');
      const months = await monthsWithCalls(manager);
      const { calls, earlyMs, underestimates, faults: ofRows } = await verifyRows(manager, months, onProgress);
      const ofBudgets = await verifyBudgets(manager, months, earlyMs, onProgress);
      let seen = 0;
      const ofIds = await duplicateIds(manager, (rows) => {
        seen += rows;
        onProgress({ step: 'ids', reached: `${seen} of ${calls}` });
      });
      const faults = [...ofIds, ...ofRows, ...ofBudgets];
      const isLow = underestimates.size > 0;
      return {
        ok: faults.length === 0,
        calls,
        faults,
        ...(isLow && { underestimates: Object.fromEntries(underestimates) }),
      };
    });
  }

  private async waitingCalls(): Promise<number> {
    const [{ id }]: [{ id: string }] = await this.dataSource.query('SELECT ledger_id AS id FROM usage_rollup_state');
    let waiting = 0;
    for (const { path } of await this.journal.files()) {
      // The file may have been removed after its replay.
      const read = await readJournal(path, () => undefined).catch(() => null);
      if (read?.ledgerId === id) waiting += read.calls;
    }
    return waiting;
  }
}

/** Values of balances that differ from their calls, in the transaction's snapshot. */
export async function balanceDifferences(
  manager: EntityManager,
  onProgress: OnProgress,
): Promise<readonly BalanceDifference[]> {
  const balances = new BalanceCheck(manager);
  await visitSlices(await monthsWithCalls(manager), async (slice) => {
    await balances.add(slice);
    onProgress({ step: 'rows and balances', reached: dayOf(slice) });
  });
  await balances.finish();
  return balances.differences;
}

async function verifyRows(manager: EntityManager, months: readonly Slice[], onProgress: OnProgress) {
  const rows = new RowChecks(manager);
  const balances = new BalanceCheck(manager);
  await visitSlices(months, async (slice) => {
    await rows.check(slice);
    await balances.add(slice);
    onProgress({ step: 'rows and balances', reached: dayOf(slice) });
  });
  await balances.finish();
  const { calls, earlyMs, underestimates } = rows;
  return { calls, earlyMs, underestimates, faults: [...rows.faults.all, ...balances.faults.all] };
}

async function verifyBudgets(
  manager: EntityManager,
  months: readonly Slice[],
  earlyMs: number,
  onProgress: OnProgress,
) {
  const budgets = new BudgetCheck(manager, earlyMs);
  await visitSlices(months, async (slice) => {
    await budgets.add(slice);
    onProgress({ step: 'budgets', reached: dayOf(slice) });
  });
  await budgets.finish();
  return budgets.faults.all;
}

function dayOf({ from }: Slice): string {
  return from.toISOString().slice(0, 10);
}
