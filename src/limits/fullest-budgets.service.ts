import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { toUsd } from '../common/usd.js';
import { ClockService } from '../database/clock.service.js';
import { UsageTotalsService } from '../usage/reports/usage-totals.service.js';
import type { UsageTotals } from '../usage/usage.types.js';
import { type BudgetForecast, forecastOf } from './budget-forecast.js';
import { startOfPeriod } from './budget-refusals.service.js';
import { type Budget, BudgetsService } from './budgets.service.js';

/** The forecast uses the average of the last days, this many. */
const FORECAST_DAYS = 7;
const DAY_MS = 86_400_000;

/**
 * By an owner's own budgets and those of the plan that applied last, without owners that spent nothing and were refused
 * nothing. $1: LIMIT.
 */
const FULLEST = `
  SELECT b.id, b.kind, max(CASE WHEN p.is_now THEN p.spent::numeric / c.cap ELSE 0 END) AS share FROM limit_balances AS b
  CROSS JOIN (SELECT (now() AT TIME ZONE 'UTC')::date AS today) AS t
  CROSS JOIN LATERAL (VALUES
    ('budgetDayNanodollars', 'day', b.cap_day, b.spent_day, b.day = t.today),
    ('budgetMonthNanodollars', 'month', b.cap_month, b.spent_month, b.month = date_trunc('month', t.today)),
    ('budgetTotalNanodollars', 'total', b.cap_total, b.spent_total, true)
  ) AS p (name, period, cap, spent, is_now)
  LEFT JOIN limit_values AS v ON v.scope = b.kind AND v.subject = b.id::text AND v.name = p.name
  LEFT JOIN budget_refusals AS r ON r.balance_id = b.id AND r.period = p.period
    AND r.since = ${startOfPeriod('p.period')}
  CROSS JOIN LATERAL (SELECT CASE WHEN v.name IS NULL THEN p.cap ELSE v.amount END AS cap) AS c
  WHERE c.cap > 0 AND (p.spent > 0 AND p.is_now OR r.balance_id IS NOT NULL) GROUP BY b.id, b.kind ORDER BY share DESC, b.id LIMIT $1`;

export type RankedBudget = Budget & BudgetForecast;

/** The owners whose budgets are spent the most, with all their budgets. */
@Injectable()
export class FullestBudgetsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly budgets: BudgetsService,
    private readonly totals: UsageTotalsService,
    private readonly clock: ClockService,
  ) {}

  /** The fullest first. `owners`: the maximum number of users, keys and projects to check. */
  async list(owners: number): Promise<RankedBudget[]> {
    const rows: { id: string; kind: string }[] = await this.dataSource.query(FULLEST, [owners]);
    const idsOf = (kind: string) => rows.flatMap((row) => (row.kind === kind ? [row.id] : []));
    const of = { users: idsOf('user'), keys: idsOf('key'), projects: idsOf('project') };
    const now = this.clock.date();
    const since = new Date(now.getTime() - FORECAST_DAYS * DAY_MS);
    const usersOf = await this.budgets.usersOf([...of.users, ...of.projects]);
    const [budgets, byUser, byKey] = await Promise.all([
      this.budgets.of(of),
      this.totals.byUser([...new Set([...of.users, ...[...usersOf.values()].flat()])], since),
      this.totals.byKey(of.keys, since),
    ]);
    const lately = (budget: Budget) =>
      budget.scope === 'key'
        ? perDay([byKey.get(budget.id)])
        : perDay((usersOf.get(budget.id) ?? [budget.id]).map((id) => byUser.get(id)));
    return budgets
      .map((budget) => ({ ...budget, ...forecastOf(budget, lately(budget), now) }))
      .sort((a, b) => shareOf(b) - shareOf(a) || (a.id < b.id ? -1 : 1));
  }
}

function perDay(totals: readonly (UsageTotals | undefined)[]): number {
  const cost = totals.reduce((sum, one) => sum + (one?.costNanodollars ?? 0n), 0n);
  return Number(toUsd(cost)) / FORECAST_DAYS;
}

function shareOf({ amountUsd, spentUsd }: Budget): number {
  return amountUsd === 0 ? 1 : spentUsd / amountUsd;
}
