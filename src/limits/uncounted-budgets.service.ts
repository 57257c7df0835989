import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { BASE_BITS, BUDGET_PERIODS, type BudgetPeriod } from '../ledger/rows/admission.types.js';

/** Budgets whose earlier spending is still being added up, which takes a few seconds at most. */
@Injectable()
export class UncountedBudgetsService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** By the id of the user or key; ids whose budgets are complete are missing. */
  async of(ids: readonly string[]): Promise<Map<string, BudgetPeriod[]>> {
    const rows: { id: string; base_wanted: number }[] = await this.dataSource.query(
      'SELECT id, base_wanted FROM limit_balances WHERE id = ANY ($1::uuid[]) AND base_wanted > 0',
      [ids],
    );
    return new Map(
      rows.map((row) => [row.id, BUDGET_PERIODS.filter((period) => (row.base_wanted & BASE_BITS[period]) !== 0)]),
    );
  }
}
