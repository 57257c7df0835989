import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { toUsd } from '../common/text.js';
import { ClockService } from '../database/clock.service.js';
import { BASE_BITS, BUDGET_PERIODS, type BudgetPeriod } from '../ledger/call-record.types.js';
import { UsageTotalsService } from '../usage/usage-totals.service.js';
import { startOfPeriod } from './budget-watch.service.js';
import { type Budget, BudgetsService } from './budgets.service.js';
import { RATE_NAMES, type RateName } from './values/limit-values.js';

/** The forecast uses at most the last days, this many. */
const FORECAST_DAYS = 7;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NEARLY_SPENT = 0.8;

/**
 * By an owner's own budgets and those of the plan that applied last, without owners that spent nothing and were refused
 * nothing. $1: LIMIT; $2: only of these users, their keys and their projects, or null.
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
  WHERE c.cap > 0 AND (p.spent > 0 AND p.is_now OR r.balance_id IS NOT NULL)
    AND ($2::uuid[] IS NULL OR b.id = ANY ($2) OR b.id IN (SELECT project_id FROM users WHERE id = ANY ($2))
      OR b.id IN (SELECT id FROM api_keys WHERE user_id = ANY ($2))) GROUP BY b.id, b.kind ORDER BY share DESC, b.id LIMIT $1`;

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

  /** The fullest first. `limit`: of users, keys and projects; `users`: only theirs, or null. */
  async list(limit: number, users: readonly string[] | null): Promise<RankedBudget[]> {
    const rows: { id: string; kind: string }[] = await this.dataSource.query(FULLEST, [limit, users]);
    const idsOf = (kind: string) => rows.flatMap((row) => (row.kind === kind ? [row.id] : []));
    const of = { users: idsOf('user'), keys: idsOf('key'), projects: idsOf('project') };
    const now = this.clock.date();
    const starts = forecastStarts(now);
    const usersOf = await this.budgets.usersOf([...of.users, ...of.projects]);
    const [budgets, byUser, byKey] = await Promise.all([
      this.budgets.of(of),
      this.totals.costsBy('user', [...new Set([...of.users, ...[...usersOf.values()].flat()])], starts),
      this.totals.costsBy('key', of.keys, starts),
    ]);
    const paceOf = (budget: Budget) =>
      budget.scope === 'key'
        ? toPace([byKey.get(budget.id)])
        : toPace((usersOf.get(budget.id) ?? [budget.id]).map((id) => byUser.get(id)));
    return budgets
      .map((budget) => ({ ...budget, ...forecastOf(budget, paceOf(budget), now) }))
      .sort((a, b) => shareOf(b) - shareOf(a) || (a.id < b.id ? -1 : 1));
  }
}

/** The last days, of which the newest is in two parts: all but its last hour, and that hour. */
function forecastStarts(now: Date): Date[] {
  const days = Array.from({ length: FORECAST_DAYS }, (_, index) => (FORECAST_DAYS - index) * DAY_MS);
  return [...days, HOUR_MS].map((ms) => new Date(now.getTime() - ms));
}

/** How fast somebody spends. */
interface SpendingPace {
  /** The average of the days since the first cost, at most seven. */
  readonly usdPerDay: number;
  /** The number of those days; 0 without spending. */
  readonly days: number;
  /** At the rate of the last hour. */
  readonly usdPerDayNow: number;
}

/** `costs`: of each owner, by the parts of `forecastStarts`. */
export function toPace(costs: readonly (readonly bigint[] | undefined)[]): SpendingPace {
  const parts = Array.from({ length: FORECAST_DAYS + 1 }, (_, index) =>
    costs.reduce((sum, one) => sum + (one?.[index] ?? 0n), 0n),
  );
  const lastHour = parts.at(-1) ?? 0n;
  const days = [...parts.slice(0, -2), (parts.at(-2) ?? 0n) + lastHour];
  const first = days.findIndex((cost) => cost > 0n);
  const count = first === -1 ? 0 : FORECAST_DAYS - first;
  const sum = days.reduce((total, cost) => total + cost, 0n);
  return {
    usdPerDay: count === 0 ? 0 : Number(toUsd(sum)) / count,
    days: count,
    usdPerDayNow: Number(toUsd(lastHour)) * 24,
  };
}

/** At the thresholds of alerts, or too little left for a call that was refused. */
export function isNearlySpent(budget: Budget): boolean {
  return shareOf(budget) >= NEARLY_SPENT || budget.uncoveredUsd !== null;
}

function shareOf({ amountUsd, spentUsd }: Budget): number {
  return amountUsd === 0 ? 1 : spentUsd / amountUsd;
}

export interface Level {
  readonly name: RateName;
  readonly limit: number;
  /** Above the limit when calls used more tokens than estimated. */
  readonly used: number;
  /** Time until the bucket is full again; null for concurrent calls. */
  readonly fullInSeconds: number | null;
}

export type Rates = Readonly<Record<RateName, number | null>>;

export interface LevelRow {
  readonly id: string;
  readonly passed: number;
  readonly requests_used: number;
  readonly tokens_used: number;
  readonly requests_per_minute: number | null;
  readonly tokens_per_minute: number | null;
  readonly running: number;
}

/** → `LevelRow` */
export const LEVEL_COLUMNS = `requests_used, tokens_used, requests_per_minute, tokens_per_minute, running,
  greatest(0, date_part('epoch', clock_timestamp() - at)) AS passed`;

const LEVELS = `
  SELECT id, ${LEVEL_COLUMNS} FROM limit_balances WHERE id = ANY ($1::uuid[])`;

@Injectable()
export class LevelsService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** By the id of the user or key. Makes no query when nothing is limited. */
  async of(limits: ReadonlyMap<string, Rates>): Promise<Map<string, Level[]>> {
    const limited = [...limits].filter(([, rates]) => RATE_NAMES.some((name) => rates[name] !== null));
    if (limited.length === 0) return new Map();
    const rows: LevelRow[] = await this.dataSource.query(LEVELS, [limited.map(([id]) => id)]);
    const found = new Map(rows.map((row) => [row.id, row]));
    return new Map(limited.map(([id, rates]) => [id, levelsOf(rates, found.get(id))]));
  }
}

export function levelsOf({ requestsPerMinute, tokensPerMinute, concurrentCalls }: Rates, row?: LevelRow): Level[] {
  const passed = row?.passed ?? 0;
  return [
    ...bucket('requestsPerMinute', requestsPerMinute, row?.requests_used ?? 0, passed, row?.requests_per_minute),
    ...bucket('tokensPerMinute', tokensPerMinute, row?.tokens_used ?? 0, passed, row?.tokens_per_minute),
    ...(concurrentCalls === null
      ? []
      : [{ name: 'concurrentCalls', limit: concurrentCalls, used: row?.running ?? 0, fullInSeconds: null } as const]),
  ];
}

/** The same as `limit_settled` in the database: time before a change of the rate counts at the old rate. */
function bucket(
  name: RateName,
  limit: number | null,
  usedThen: number,
  passed: number,
  oldLimit: number | null = null,
): Level[] {
  if (limit === null) return [];
  const left = Math.max(0, usedThen - (passed * (oldLimit ?? limit)) / 60);
  const used = oldLimit === limit ? left : Math.min(limit, left);
  return [{ name, limit, used: Math.ceil(used - 1e-6), fullInSeconds: (used * 60) / limit }];
}

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

type SpentBudget = Pick<Budget, 'period' | 'amountUsd' | 'spentUsd' | 'resetsAt'>;

interface BudgetForecast {
  /** The expected spending at the end of the month; null for other periods. */
  readonly forecastUsd: number | null;
  /** When the budget will be used up; null if it resets before, or if that takes more than a year. */
  readonly runsOutAt: Date | null;
  /** The days that the forecast is made from, at most seven; null for a day's budget, whose is made from the last hour. */
  readonly historyDays: number | null;
}

/** Assumes that the spending continues: of a day's budget that of the last hour, of others that of the last days. */
export function forecastOf(budget: SpentBudget, pace: SpendingPace, now: Date): BudgetForecast {
  const { period, amountUsd, spentUsd, resetsAt } = budget;
  const usdPerDay = period === 'day' ? pace.usdPerDayNow : pace.usdPerDay;
  const daysLeft = resetsAt === null ? 365 : (Date.parse(resetsAt) - now.getTime()) / DAY_MS;
  const daysUntilSpent = Math.max(0, amountUsd - spentUsd) / usdPerDay;
  return {
    forecastUsd: period === 'month' ? spentUsd + usdPerDay * daysLeft : null,
    runsOutAt: daysUntilSpent < daysLeft ? new Date(now.getTime() + daysUntilSpent * DAY_MS) : null,
    historyDays: period === 'day' ? null : pace.days,
  };
}
