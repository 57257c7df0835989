import { Controller, Get, Header, Injectable, UseGuards, UseInterceptors } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { BearerGuard, CurrentCaller } from '../auth/bearer.guard.js';
import type { Caller } from '../auth/caller.types.js';
import { toUsd } from '../common/text.js';
import { ClockService } from '../database/clock.service.js';
import { FairTurnsInterceptor } from '../http/fair-turns.interceptor.js';
import { BUDGET_PERIODS } from '../ledger/call-record.types.js';
import { LEVEL_COLUMNS, type Level, type LevelRow, levelsOf } from './budget-levels.service.js';
import { BALANCE_COLUMNS, type BalanceRow, BudgetsService, isCounted, nameOf } from './budgets.service.js';
import { endOf } from './limit.errors.js';
import { BUDGETS, type CallerLimit } from './values/limit-values.js';

/** $1: the key's id; $2: the ids of its limits. */
const READ = `
  SELECT k.name, least(k.expires_at, CASE WHEN k.display <> $3 THEN k.previous_expires_at END) AS expires_at, p.name AS project,
    coalesce((SELECT json_agg(b) FROM (SELECT id, ${LEVEL_COLUMNS}, ${BALANCE_COLUMNS} FROM limit_balances WHERE id = ANY ($2::uuid[])) AS b), '[]') AS balances
  FROM api_keys AS k JOIN users AS u ON u.id = k.user_id LEFT JOIN projects AS p ON p.id = u.project_id WHERE k.id = $1`;

type Balance = LevelRow & BalanceRow;

interface KeyRow {
  readonly name: string;
  readonly expires_at: Date | null;
  readonly project: string | null;
  readonly balances: Balance[];
}

/** What a key is, and what is left of its limits, for the key itself. */
@Injectable()
export class KeyStandingService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly budgets: BudgetsService,
    private readonly clock: ClockService,
  ) {}

  /** One read, unless a budget has not checked a call yet. */
  async of({ keyId, keyDisplay, plan, models, limits }: Caller) {
    const ids = [...new Set(limits.map(({ id }) => id))];
    const [row]: KeyRow[] = await this.dataSource.query(READ, [keyId, ids, keyDisplay]);
    if (!row) throw new Error(`there is no key ${keyId}`);
    const balances = new Map(row.balances.map((balance) => [balance.id, balance]));
    const uncounted = await this.spentOfUncounted(limits, balances);
    const budgetsOf = ({ id, values }: CallerLimit) =>
      BUDGET_PERIODS.flatMap((period) => {
        const amount = values[BUDGETS[period]];
        if (amount === null) return [];
        const balance = balances.get(id);
        const spent = uncounted.get(nameOf(id, period)) ?? BigInt(balance?.[`spent_${period}`] ?? 0);
        const reserved = BigInt(balance?.[`reserved_${period}`] ?? 0);
        const rest = amount - spent - reserved;
        return {
          period,
          amount_usd: dollars(amount),
          spent_usd: dollars(spent),
          reserved_usd: dollars(reserved),
          remaining_usd: dollars(rest > 0n ? rest : 0n),
          resets_at: endOf(period, this.clock.date())?.toISOString() ?? null,
        };
      });
    return {
      ...{ object: 'key', id: keyId, name: row.name, display: keyDisplay, expires_at: row.expires_at },
      ...{ project: row.project, plan: plan.id, models: models && [...models] },
      limits: limits.map((limit) => ({
        scope: limit.scope,
        ...toRates(levelsOf(limit.values, balances.get(limit.id))),
        budgets: budgetsOf(limit),
      })),
    };
  }

  private async spentOfUncounted(limits: readonly CallerLimit[], balances: ReadonlyMap<string, Balance>) {
    const reserved = limits.flatMap(({ scope, id, values }) =>
      BUDGET_PERIODS.flatMap((period) => {
        const amount = values[BUDGETS[period]];
        return amount === null || isCounted(balances.get(id), period) ? [] : [{ scope, id, period, amount }];
      }),
    );
    return reserved.length === 0 ? new Map<string, bigint>() : this.budgets.spentOf(reserved);
  }
}

function toRates(levels: readonly Level[]) {
  const byName = new Map(levels.map((level) => [level.name, level]));
  const rate = (level: Level | undefined) =>
    level
      ? {
          limit: level.limit,
          remaining: Math.max(0, level.limit - level.used),
          reset_ms: Math.ceil((level.fullInSeconds ?? 0) * 1000),
        }
      : null;
  const calls = byName.get('concurrentCalls');
  return {
    requests_per_minute: rate(byName.get('requestsPerMinute')),
    tokens_per_minute: rate(byName.get('tokensPerMinute')),
    concurrent_calls: calls ? { limit: calls.limit, used: calls.used } : null,
  };
}

function dollars(nanodollars: bigint): number {
  return Number(toUsd(nanodollars));
}

@Controller(['v1/key', 'openai/v1/key'])
@UseGuards(BearerGuard)
@UseInterceptors(FairTurnsInterceptor)
export class KeyController {
  constructor(private readonly standing: KeyStandingService) {}

  @Get()
  @Header('cache-control', 'private, no-store')
  get(@CurrentCaller() caller: Caller) {
    return this.standing.of(caller);
  }
}
