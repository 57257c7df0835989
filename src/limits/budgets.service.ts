import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { KeyLimitsService } from '../auth/key-limits.service.js';
import { LimitValuesService } from '../billing/limit-values.service.js';
import { UserLimitsService } from '../billing/user-limits.service.js';
import type { LimitScope } from '../common/limit.types.js';
import type { LimitSettings } from '../common/limit-values.js';
import { toUsd } from '../common/usd.js';
import { ClockService } from '../database/clock.service.js';
import { BUDGET_PERIODS } from '../usage/ledger/admission.types.js';
import { endOf } from './limit.errors.js';

type Period = (typeof BUDGET_PERIODS)[number];

/** A budget that holds, and how much of it is gone. */
export interface Budget {
  readonly scope: LimitScope;
  /** A user's, or a key's. */
  readonly id: string;
  readonly period: Period;
  readonly amountUsd: number;
  readonly spentUsd: number;
  readonly reservedUsd: number;
  /** Null: never. */
  readonly resetsAt: string | null;
}

/** What a balance has of a day or month that is over is nothing any more. */
const BALANCES = `
  SELECT id, kind,
    CASE WHEN day = (now() AT TIME ZONE 'UTC')::date THEN spent_day ELSE 0 END AS spent_day,
    CASE WHEN day = (now() AT TIME ZONE 'UTC')::date THEN reserved_day ELSE 0 END AS reserved_day,
    CASE WHEN month = date_trunc('month', now() AT TIME ZONE 'UTC') THEN spent_month ELSE 0 END AS spent_month,
    CASE WHEN month = date_trunc('month', now() AT TIME ZONE 'UTC') THEN reserved_month ELSE 0 END AS reserved_month,
    spent_total, reserved_total
  FROM limit_balances`;

type BalanceRow = { id: string; kind: string } & Record<`${'spent' | 'reserved'}_${Period}`, string>;

const NAMES = {
  day: 'budgetDayNanodollars',
  month: 'budgetMonthNanodollars',
  total: 'budgetTotalNanodollars',
} as const;

/** Every budget that holds: a user's own and a key's always, a plan's for each of its users who has spent something. */
@Injectable()
export class BudgetsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly values: LimitValuesService,
    private readonly users: UserLimitsService,
    private readonly keys: KeyLimitsService,
    private readonly clock: ClockService,
  ) {}

  async list(): Promise<Budget[]> {
    const rows: BalanceRow[] = await this.dataSource.query(BALANCES);
    const balances = new Map(rows.map((row) => [row.id, row]));
    const spenders = rows.filter(({ kind }) => kind === 'user').map(({ id }) => id);
    const users = await this.users.of([...new Set([...spenders, ...(await this.values.subjectsOf('user'))])]);
    const keys = await this.keys.of(await this.values.subjectsOf('key'));
    const budgets: Budget[] = [];
    for (const [id, { own, plan }] of users) {
      const balance = balances.get(id);
      const ofPlan = BUDGET_PERIODS.filter((period) => own[NAMES[period]] === undefined && hasSpent(balance, period));
      budgets.push(...this.budgetsOf('plan', id, plan, balance, ofPlan));
      budgets.push(...this.budgetsOf('user', id, own, balance));
    }
    for (const [id, { values }] of keys) budgets.push(...this.budgetsOf('key', id, values, balances.get(id)));
    return budgets;
  }

  private budgetsOf(
    scope: LimitScope,
    id: string,
    values: LimitSettings,
    balance: BalanceRow | undefined,
    periods: readonly Period[] = BUDGET_PERIODS,
  ): Budget[] {
    return periods.flatMap((period) => {
      const amount = values[NAMES[period]];
      if (amount == null) return [];
      return {
        scope,
        id,
        period,
        amountUsd: dollars(amount),
        spentUsd: dollars(balance?.[`spent_${period}`]),
        reservedUsd: dollars(balance?.[`reserved_${period}`]),
        resetsAt: endOf(period === 'total' ? undefined : period, this.clock.date())?.toISOString() ?? null,
      };
    });
  }
}

function hasSpent(balance: BalanceRow | undefined, period: Period): boolean {
  return balance !== undefined && BigInt(balance[`spent_${period}`]) + BigInt(balance[`reserved_${period}`]) > 0n;
}

function dollars(nanodollars: bigint | string = 0n): number {
  return Number(toUsd(BigInt(nanodollars)));
}
