import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { toUsd } from '../common/text.js';
import { ClockService } from '../database/clock.service.js';
import { rowBatches } from '../database/lists.js';
import { BASE_BITS, BUDGET_PERIODS, type BudgetPeriod } from '../ledger/call-record.types.js';
import { UsageTotalsService } from '../usage/usage-totals.service.js';
import { BudgetRefusalsService, uncoveredUsd } from './budget-watch.service.js';
import { endOf } from './limit.errors.js';
import { UserLimitsService } from './settings/limit-settings.service.js';
import { BUDGETS, type LimitScope, type LimitSettings, utcPeriodOf } from './values/limit-values.js';
import { LimitValuesService } from './values/limit-values.service.js';

export interface Budget {
  readonly scope: LimitScope;
  readonly id: string;
  readonly period: BudgetPeriod;
  readonly amountUsd: number;
  readonly spentUsd: number;
  readonly reservedUsd: number;
  /** The smallest reservation that the budget has refused in this period, if more than its rest; else null. */
  readonly uncoveredUsd: number | null;
  readonly resetsAt: string | null;
}

interface BudgetOwners {
  readonly users?: readonly string[];
  readonly keys?: readonly string[];
  readonly projects?: readonly string[];
}

/** → `BalanceRow`; amounts of a past day or month count as zero. Text, since JSON rounds large numbers. */
export const BALANCE_COLUMNS = `cap_day::text, cap_month::text, cap_total::text,
    CASE WHEN day = (now() AT TIME ZONE 'UTC')::date THEN spent_day ELSE 0 END::text AS spent_day,
    CASE WHEN day = (now() AT TIME ZONE 'UTC')::date THEN reserved_day ELSE 0 END::text AS reserved_day,
    CASE WHEN month = date_trunc('month', now() AT TIME ZONE 'UTC') THEN spent_month ELSE 0 END::text AS spent_month,
    CASE WHEN month = date_trunc('month', now() AT TIME ZONE 'UTC') THEN reserved_month ELSE 0 END::text AS reserved_month,
    spent_total::text, reserved_total::text, base_wanted`;

const BALANCES = `SELECT id, ${BALANCE_COLUMNS} FROM limit_balances WHERE id = ANY($1)`;

const USERS = 'SELECT id FROM users ORDER BY id';
/** Service accounts of projects; they have the plan of their project. */
const ACCOUNTS_OF_PROJECTS =
  "SELECT id FROM users WHERE id = ANY ($1::uuid[]) AND kind = 'service' AND project_id IS NOT NULL";
const LIMITED_KEYS = "SELECT DISTINCT subject AS id FROM limit_values WHERE scope = 'key' ORDER BY subject";
const LIMITED_PROJECTS = "SELECT DISTINCT subject AS id FROM limit_values WHERE scope = 'project' ORDER BY subject";
/** The users whose calls count in the balances of projects and of the users that represent projects. */
const USERS_OF_PROJECTS = `
  SELECT balance.id, array_agg(m.id) AS users
  FROM users AS p JOIN users AS m ON m.project_id = p.project_id
  CROSS JOIN LATERAL (VALUES (p.id), (p.project_id)) AS balance (id)
  WHERE p.kind = 'project' AND (p.id = ANY ($1::uuid[]) OR p.project_id = ANY ($1::uuid[]))
    AND balance.id = ANY ($1::uuid[])
  GROUP BY balance.id`;

export type BalanceRow = { id: string; base_wanted: number } & Record<
  `${'spent' | 'reserved'}_${BudgetPeriod}`,
  string
> &
  Record<`cap_${BudgetPeriod}`, string | null>;

interface ReservedBudget {
  readonly scope: LimitScope;
  readonly id: string;
  readonly period: BudgetPeriod;
  readonly amount: bigint;
}

/** All active budgets: those of users, keys and projects always, those of plans for each user with spending. */
@Injectable()
export class BudgetsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly users: UserLimitsService,
    private readonly limits: LimitValuesService,
    private readonly refusals: BudgetRefusalsService,
    private readonly totals: UsageTotalsService,
    private readonly clock: ClockService,
  ) {}

  /** Users and plans first, then keys and projects; no batch is empty. */
  async *batches(): AsyncGenerator<Budget[]> {
    for await (const reserved of this.reserved()) {
      const budgets = await this.toBudgets(reserved);
      if (budgets.length > 0) yield budgets;
    }
  }

  async of({ users = [], keys = [], projects = [] }: BudgetOwners): Promise<Budget[]> {
    const reserved = [this.ofUsers(users), this.ofOwn('key', keys), this.ofOwn('project', projects)];
    return this.toBudgets((await Promise.all(reserved)).flat());
  }

  private async *reserved(): AsyncGenerator<ReservedBudget[]> {
    for await (const ids of this.idBatches(USERS)) yield this.ofUsers(ids);
    for await (const ids of this.idBatches(LIMITED_KEYS)) yield this.ofOwn('key', ids);
    for await (const ids of this.idBatches(LIMITED_PROJECTS)) yield this.ofOwn('project', ids);
  }

  private async *idBatches(statement: string): AsyncGenerator<string[]> {
    for await (const rows of rowBatches<{ id: string }>(this.dataSource, statement)) yield rows.map(({ id }) => id);
  }

  private async toBudgets(reserved: readonly ReservedBudget[]): Promise<Budget[]> {
    const rows: BalanceRow[] = await this.dataSource.query(BALANCES, [reserved.map(({ id }) => id)]);
    const balances = new Map(rows.map((row) => [row.id, row]));
    const uncounted = reserved.filter(({ id, period }) => !isCounted(balances.get(id), period));
    const [spent, refused] = await Promise.all([
      this.spentOf(uncounted),
      this.refusals.of(reserved.map(({ id }) => id)),
    ]);
    const budgets = reserved.map(({ scope, id, period, amount }): Budget => {
      const balance = balances.get(id);
      const amountUsd = dollars(amount);
      const spentUsd = dollars(spent.get(nameOf(id, period)) ?? balance?.[`spent_${period}`]);
      return {
        scope,
        id,
        period,
        amountUsd,
        spentUsd,
        reservedUsd: dollars(balance?.[`reserved_${period}`]),
        uncoveredUsd: uncoveredUsd(refused.get(id)?.[period], amountUsd, spentUsd),
        resetsAt: endOf(period, this.clock.date())?.toISOString() ?? null,
      };
    });
    return budgets.filter(({ scope, spentUsd, reservedUsd }) => scope !== 'plan' || spentUsd + reservedUsd > 0);
  }

  private async ofUsers(ids: readonly string[]): Promise<ReservedBudget[]> {
    const users = await this.users.of(ids);
    const accounts: { id: string }[] = await this.dataSource.query(ACCOUNTS_OF_PROJECTS, [ids]);
    const others = new Set(accounts.map(({ id }) => id));
    return [...users].flatMap(([id, { own, plan }]) => {
      if (others.has(id)) return reservedOf('user', id, own);
      const inherited = BUDGET_PERIODS.filter((period) => own[BUDGETS[period]] === undefined);
      return [...reservedOf('plan', id, plan, inherited), ...reservedOf('user', id, own)];
    });
  }

  private async ofOwn(scope: 'key' | 'project', ids: readonly string[]): Promise<ReservedBudget[]> {
    const limits = await this.limits.of(scope, ids);
    return [...limits].flatMap(([id, { values }]) => reservedOf(scope, id, values));
  }

  /** From the ledger, by `nameOf`. */
  async spentOf(budgets: readonly ReservedBudget[]): Promise<Map<string, bigint>> {
    const now = this.clock.date();
    const starts = { day: utcPeriodOf('day', now).from, month: utcPeriodOf('month', now).from, total: new Date(0) };
    const spent = new Map<string, bigint>();
    const users = await this.usersOf(budgets.filter(({ scope }) => scope !== 'key').map(({ id }) => id));
    for (const period of BUDGET_PERIODS) {
      for (const isKey of [true, false]) {
        const ids = budgets.flatMap((budget) =>
          budget.period === period && (budget.scope === 'key') === isKey ? [budget.id] : [],
        );
        const since = starts[period];
        const all = ids.flatMap((id) => users.get(id) ?? [id]);
        const totals = await (isKey ? this.totals.byKey(ids, since) : this.totals.byUser(all, since));
        for (const id of ids) {
          const costs = (users.get(id) ?? [id]).map((one) => totals.get(one)?.costNanodollars ?? 0n);
          const sum = costs.reduce((total, cost) => total + cost, 0n);
          spent.set(nameOf(id, period), sum);
        }
      }
    }
    return spent;
  }

  /** The users whose calls count together, by the id of the project or of the user that represents it. */
  async usersOf(ids: readonly string[]): Promise<Map<string, readonly string[]>> {
    if (ids.length === 0) return new Map();
    const rows: { id: string; users: string[] }[] = await this.dataSource.query(USERS_OF_PROJECTS, [ids]);
    return new Map(rows.map(({ id, users }) => [id, users]));
  }
}

/** False until the budget has checked its first call and earlier spending has been added up. */
export function isCounted(balance: BalanceRow | undefined, period: BudgetPeriod): boolean {
  return balance !== undefined && balance[`cap_${period}`] !== null && (balance.base_wanted & BASE_BITS[period]) === 0;
}

function reservedOf(
  scope: LimitScope,
  id: string,
  values: LimitSettings,
  periods: readonly BudgetPeriod[] = BUDGET_PERIODS,
): ReservedBudget[] {
  return periods.flatMap((period) => {
    const amount = values[BUDGETS[period]];
    return amount == null ? [] : [{ scope, id, period, amount }];
  });
}

export function nameOf(id: string, period: BudgetPeriod): string {
  return `${id} ${period}`;
}

function dollars(nanodollars: bigint | string = 0n): number {
  return Number(toUsd(BigInt(nanodollars)));
}
