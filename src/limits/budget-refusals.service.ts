import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { toUsd } from '../common/usd.js';
import type { BudgetPeriod } from '../ledger/rows/admission.types.js';
import type { UsedUp } from './limits.service.js';

interface RefusalRow {
  readonly id: string;
  readonly period: BudgetPeriod;
  readonly least: string;
}

/** SQL: the first day of the current period. `period`: an expression for its name. */
export const startOfPeriod = (period: string) => `
  CASE ${period} WHEN 'day' THEN (now() AT TIME ZONE 'UTC')::date
    WHEN 'month' THEN date_trunc('month', now() AT TIME ZONE 'UTC')::date ELSE '-infinity'::date END`;

/** Keeps the smallest reservation of the period. $1 to $3: balance, period, nano-dollars. */
const NOTE = `
  INSERT INTO budget_refusals AS r (balance_id, period, since, least_nanodollars)
  VALUES ($1, $2, ${startOfPeriod('$2::text')}, $3)
  ON CONFLICT (balance_id, period) DO UPDATE SET since = excluded.since,
    least_nanodollars = CASE WHEN r.since = excluded.since
      THEN least(r.least_nanodollars, excluded.least_nanodollars) ELSE excluded.least_nanodollars END`;

const CURRENT = `
  SELECT balance_id AS id, period, least_nanodollars AS least FROM budget_refusals
  WHERE balance_id = ANY ($1::uuid[]) AND since = ${startOfPeriod('period')}`;

/** Which reservations budgets have refused because less than that was left. */
@Injectable()
export class BudgetRefusalsService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async note({ id, period, wanted }: UsedUp): Promise<void> {
    await this.dataSource.query(NOTE, [id, period, Math.ceil(wanted)]);
  }

  /** The smallest refused reservation of the current period in US dollars, by the id of the user, key or project. */
  async of(ids: readonly string[]): Promise<Map<string, Partial<Record<BudgetPeriod, number>>>> {
    const rows: RefusalRow[] = await this.dataSource.query(CURRENT, [ids]);
    const found = new Map<string, Partial<Record<BudgetPeriod, number>>>();
    for (const { id, period, least } of rows) {
      found.set(id, { ...found.get(id), [period]: Number(toUsd(BigInt(least))) });
    }
    return found;
  }
}

/** A refused reservation that the rest of the budget still does not cover; null if there is none. */
export function uncoveredUsd(refusedUsd: number | undefined, amountUsd: number, spentUsd: number): number | null {
  if (refusedUsd === undefined) return null;
  const restUsd = Number((amountUsd - spentUsd).toFixed(9));
  return restUsd < refusedUsd ? refusedUsd : null;
}
