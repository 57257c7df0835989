import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { Actor, AuditTarget } from '../audit/audit.types.js';
import { UsageError } from '../common/usage.error.js';
import { REPAIR_LOCK } from '../database/advisory-locks.js';
import { notifyAllCallersChanged } from '../database/changes.service.js';
import { balanceDifferences, type OnProgress } from './ledger-verification.service.js';
import type { BalanceDifference } from './verification/checks.js';

/** What a repair changed; amounts in US dollars. */
export interface RepairedValue {
  readonly id: string;
  readonly kind: string;
  readonly value: string;
  readonly before: number;
  readonly after: number;
}

/** Ends with the column that holds the first day of the value's period. */
const PERIOD_COLUMN = /_(day|month)$/;

/**
 * Makes balances equal to their calls again. A call's row and its balances always change together, so the difference
 * found in one snapshot stays the same while calls continue: it is added to the balance, unless its period is over.
 */
@Injectable()
export class LedgerRepairService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly audit: AuditService,
  ) {}

  async repair(actor: Actor, onProgress: OnProgress = () => undefined): Promise<RepairedValue[]> {
    return this.alone(async () => {
      const found = await this.dataSource.transaction('REPEATABLE READ', (manager) =>
        balanceDifferences(manager, onProgress),
      );
      const repaired: RepairedValue[] = [];
      for (const [id, differences] of Map.groupBy(found, ({ id }) => id)) {
        repaired.push(...(await this.repairBalance(id, differences, actor)));
      }
      return repaired;
    });
  }

  private repairBalance(id: string, differences: readonly BalanceDifference[], actor: Actor): Promise<RepairedValue[]> {
    return this.dataSource.transaction(async (manager) => {
      const repaired: RepairedValue[] = [];
      for (const difference of differences) {
        const changed = await correct(manager, difference);
        if (changed) repaired.push(changed);
      }
      const [first] = repaired;
      if (!first) return [];
      const valuesOf = (name: 'before' | 'after') =>
        Object.fromEntries(repaired.map((value) => [value.value, value[name]]));
      const target = { kind: first.kind as AuditTarget['kind'], id, name: id };
      await this.audit.record(manager, actor, {
        action: 'ledger.repair',
        target,
        before: valuesOf('before'),
        after: valuesOf('after'),
      });
      // Processes refuse calls of callers whose budget they know to be used up.
      await notifyAllCallersChanged(manager);
      return repaired;
    });
  }

  /** Two repairs at the same time would correct the same difference twice. */
  private alone<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.dataSource.transaction(async (manager) => {
      const [{ taken }] = await manager.query(`SELECT pg_try_advisory_xact_lock(${REPAIR_LOCK}) AS taken`);
      if (!taken) throw new UsageError('The ledger is being repaired by another command: wait until it has ended.');
      return work();
    });
  }
}

/** Undefined when the period of the value is over. */
async function correct(manager: EntityManager, difference: BalanceDifference): Promise<RepairedValue | undefined> {
  const { id, kind, column, value, period, found, required } = difference;
  const periodColumn = PERIOD_COLUMN.exec(column)?.[1];
  const [rows]: [{ now: string }[]] = await manager.query(
    `UPDATE limit_balances SET ${column} = ${column} + $2::bigint
     WHERE id = $1 ${periodColumn ? `AND ${periodColumn} = $3::date` : 'AND $3::date IS NULL'} RETURNING ${column} AS now`,
    [id, String(required - found), period],
  );
  const [row] = rows;
  if (!row) return undefined;
  const unit = column === 'running' ? 1 : 1e9;
  const after = BigInt(row.now);
  return { id, kind, value, before: Number(after - required + found) / unit, after: Number(after) / unit };
}
