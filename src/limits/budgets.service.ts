import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { toUsd } from '../common/usd.js';
import { ClockService } from '../database/clock.service.js';
import { rowBatches } from '../database/lists/row-batches.js';
import { BASE_BITS, BUDGET_PERIODS } from '../ledger/rows/admission.types.js';
import { UsageTotalsService } from '../usage/reports/usage-totals.service.js';
import { endOf } from './limit.errors.js';
import { KeyLimitsService } from './settings/key-limits.service.js';
import { UserLimitsService } from './settings/user-limits.service.js';
import type { LimitScope } from './values/limit.types.js';
import type { LimitSettings } from './values/limit-values.js';
import { utcPeriodOf } from './values/utc-periods.js';

type Period = (typeof BUDGET_PERIODS)[number];

export interface Budget {
  readonly scope: LimitScope;
  readonly id: string;
  readonly period: Period;
  readonly amountUsd: number;
  readonly spentUsd: number;
  readonly reservedUsd: number;
  readonly resetsAt: string | null;
}

/** Ids. */
export interface BudgetOwners {
  readonly users: readonly string[];
  readonly keys: readonly string[];
}

/** Amounts of a past day or month count as zero. */
const BALANCES = `
  SELECT id, cap_day, cap_month, cap_total,
    CASE WHEN day = (now() AT TIME ZONE 'UTC')::date THEN spent_day ELSE 0 END AS spent_day,
    CASE WHEN day = (now() AT TIME ZONE 'UTC')::date THEN reserved_day ELSE 0 END AS reserved_day,
    CASE WHEN month = date_trunc('month', now() AT TIME ZONE 'UTC') THEN spent_month ELSE 0 END AS spent_month,
    CASE WHEN month = date_trunc('month', now() AT TIME ZONE 'UTC') THEN reserved_month ELSE 0 END AS reserved_month,
    spent_total, reserved_total, base_wanted
  FROM limit_balances WHERE id = ANY($1)`;

const USERS = 'SELECT id FROM users ORDER BY id';
const LIMITED_KEYS = "SELECT DISTINCT subject AS id FROM limit_values WHERE scope = 'key' ORDER BY subject";

type BalanceRow = { id: string; base_wanted: number } & Record<`${'spent' | 'reserved'}_${Period}`, string> &
  Record<`cap_${Period}`, string | null>;

const NAMES = {
  day: 'budgetDayNanodollars',
  month: 'budgetMonthNanodollars',
  total: 'budgetTotalNanodollars',
} as const;

interface HeldBudget {
  readonly scope: LimitScope;
  readonly id: string;
  readonly period: Period;
  readonly amount: bigint;
}

/** All active budgets: those of users and keys always, those of plans for each user with spending. */
@Injectable()
export class BudgetsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly users: UserLimitsService,
    private readonly keys: KeyLimitsService,
    private readonly totals: UsageTotalsService,
    private readonly clock: ClockService,
  ) {}

  /** Users and plans first, then keys; no batch is empty. */
  async *batches(): AsyncGenerator<Budget[]> {
    for await (const held of this.held()) {
      const budgets = await this.toBudgets(held);
      if (budgets.length > 0) yield budgets;
    }
  }

  /** Those of these users and keys. */
  async of({ users, keys }: BudgetOwners): Promise<Budget[]> {
    return this.toBudgets([...(await this.ofUsers(users)), ...(await this.ofKeys(keys))]);
  }

  private async *held(): AsyncGenerator<HeldBudget[]> {
    for await (const users of rowBatches<{ id: string }>(this.dataSource, USERS)) {
      yield this.ofUsers(users.map(({ id }) => id));
    }
    for await (const keys of rowBatches<{ id: string }>(this.dataSource, LIMITED_KEYS)) {
      yield this.ofKeys(keys.map(({ id }) => id));
    }
  }

  private async toBudgets(held: readonly HeldBudget[]): Promise<Budget[]> {
    const rows: BalanceRow[] = await this.dataSource.query(BALANCES, [held.map(({ id }) => id)]);
    const balances = new Map(rows.map((row) => [row.id, row]));
    const uncounted = held.filter(({ id, period }) => !isCounted(balances.get(id), period));
    const spent = await this.spentOf(uncounted);
    const budgets = held.map(({ scope, id, period, amount }): Budget => {
      const balance = balances.get(id);
      return {
        scope,
        id,
        period,
        amountUsd: dollars(amount),
        spentUsd: dollars(spent.get(nameOf(id, period)) ?? balance?.[`spent_${period}`]),
        reservedUsd: dollars(balance?.[`reserved_${period}`]),
        resetsAt: endOf(period === 'total' ? undefined : period, this.clock.date())?.toISOString() ?? null,
      };
    });
    return budgets.filter(({ scope, spentUsd, reservedUsd }) => scope !== 'plan' || spentUsd + reservedUsd > 0);
  }

  private async ofUsers(ids: readonly string[]): Promise<HeldBudget[]> {
    const users = await this.users.of(ids);
    return [...users].flatMap(([id, { own, plan }]) => {
      const inherited = BUDGET_PERIODS.filter((period) => own[NAMES[period]] === undefined);
      return [...heldOf('plan', id, plan, inherited), ...heldOf('user', id, own)];
    });
  }

  private async ofKeys(ids: readonly string[]): Promise<HeldBudget[]> {
    const keys = await this.keys.of(ids);
    return [...keys].flatMap(([id, { values }]) => heldOf('key', id, values));
  }

  private async spentOf(budgets: readonly HeldBudget[]): Promise<Map<string, bigint>> {
    const now = this.clock.date();
    const starts = { day: utcPeriodOf('day', now).from, month: utcPeriodOf('month', now).from, total: new Date(0) };
    const spent = new Map<string, bigint>();
    for (const period of BUDGET_PERIODS) {
      for (const isKey of [true, false]) {
        const ids = budgets.flatMap((budget) =>
          budget.period === period && (budget.scope === 'key') === isKey ? [budget.id] : [],
        );
        const since = starts[period];
        const totals = await (isKey ? this.totals.byKey(ids, since) : this.totals.byUser(ids, since));
        for (const id of ids) spent.set(nameOf(id, period), totals.get(id)?.costNanodollars ?? 0n);
      }
    }
    return spent;
  }
}

/** False until the budget has decided its first call and earlier spending was added up. */
function isCounted(balance: BalanceRow | undefined, period: Period): boolean {
  return balance !== undefined && balance[`cap_${period}`] !== null && (balance.base_wanted & BASE_BITS[period]) === 0;
}

function heldOf(
  scope: LimitScope,
  id: string,
  values: LimitSettings,
  periods: readonly Period[] = BUDGET_PERIODS,
): HeldBudget[] {
  return periods.flatMap((period) => {
    const amount = values[NAMES[period]];
    return amount == null ? [] : [{ scope, id, period, amount }];
  });
}

function nameOf(id: string, period: Period): string {
  return `${id} ${period}`;
}

function dollars(nanodollars: bigint | string = 0n): number {
  return Number(toUsd(BigInt(nanodollars)));
}
