import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { ClockService } from '../database/clock.service.js';
import { snapshotsOf } from '../database/report-reader.service.js';
import { utcPeriodOf } from '../limits/values/limit-values.js';
import { HOUR_OF_CALL } from './reports/hour-parts.js';
import { COLUMN_OF, SqlParameters } from './reports/usage-filter.js';
import { UsageReading } from './reports/usage-reading.js';
import type { Sums } from './reports/usage-tally.js';
import { slotFrom, startOfSlot } from './rollups/usage-pieces.js';
import type { FirstSuccess, UsageTotals } from './usage.types.js';

type UsageTotalsById = Map<string, UsageTotals>;

@Injectable()
export class UsageTotalsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly clock: ClockService,
  ) {}

  /** Keys without calls are missing. */
  byKey(keyIds: readonly string[], since: Date): Promise<Map<string, UsageTotals>> {
    return this.totalsBy('key', keyIds, since);
  }

  /** Users without calls are missing. */
  byUser(userIds: readonly string[], since: Date): Promise<Map<string, UsageTotals>> {
    return this.totalsBy('user', userIds, since);
  }

  /**
   * The cost in nano-dollars from each of `starts` until the next, the last until now; of those keys or users with calls.
   * Starts are rounded to quarter-hours.
   */
  async costsBy(
    dimension: 'key' | 'user',
    ids: readonly string[],
    starts: readonly Date[],
  ): Promise<Map<string, bigint[]>> {
    if (ids.length === 0) return new Map();
    const filter = dimension === 'key' ? { keys: ids } : { users: ids };
    const cells = { starts: starts.map(slotFrom), end: slotFrom(this.clock.date()) + 1 };
    const span = { from: cells.starts[0] ?? 0, to: cells.end };
    return UsageReading.of(snapshotsOf(this.dataSource), span, filter, async (reading) => {
      const costs = new Map<string, bigint[]>();
      for (const { name, cell, sign, cost_nanodollars: cost } of await reading.sums({
        ...filter,
        groupBy: dimension,
        cells,
      })) {
        if (name === null) continue;
        const all = costs.get(name) ?? starts.map(() => 0n);
        all[cell] = (all[cell] ?? 0n) + BigInt(sign) * BigInt(cost);
        costs.set(name, all);
      }
      return costs;
    });
  }

  async callsOfKey(keyId: string, since: Date): Promise<number> {
    return (await this.byKey([keyId], since)).get(keyId)?.calls ?? 0;
  }

  async firstSuccessOf(userId: string): Promise<FirstSuccess | null> {
    const [first]: FirstSuccess[] = await this.dataSource.query(FIRST_OF_USER, [userId]);
    return first ?? null;
  }

  private async totalsBy(dimension: 'key' | 'user', ids: readonly string[], since: Date): Promise<UsageTotalsById> {
    if (ids.length === 0) return new Map();
    const filter = dimension === 'key' ? { keys: ids } : { users: ids };
    const cells = { starts: [slotFrom(since)], end: slotFrom(this.clock.date()) + 1 };
    const span = { from: cells.starts[0] ?? 0, to: cells.end };
    return UsageReading.of(snapshotsOf(this.dataSource), span, filter, async (reading) => {
      const rows = await reading.sums({ ...filter, groupBy: dimension, cells });
      const cut = await callsUntil(reading, dimension, ids, since, startOfSlot(span.from));
      const totals: UsageTotalsById = new Map();
      for (const { name, sign, calls, cost_nanodollars: cost } of [...rows, ...cut]) {
        if (name === null) continue;
        const sum = totals.get(name) ?? { calls: 0, costNanodollars: 0n };
        totals.set(name, {
          calls: sum.calls + sign * Number(calls),
          costNanodollars: sum.costNanodollars + BigInt(sign) * BigInt(cost),
        });
      }
      return new Map([...totals].filter(([, { calls }]) => calls !== 0));
    });
  }
}

/** The part of a quarter-hour that roll-ups cannot separate, read from the ledger. */
async function callsUntil(
  { manager }: UsageReading,
  dimension: 'key' | 'user',
  ids: readonly string[],
  from: Date,
  to: Date,
): Promise<Pick<Sums, 'name' | 'sign' | 'calls' | 'cost_nanodollars'>[]> {
  if (to <= from) return [];
  const column = COLUMN_OF[dimension];
  const during = `${column} = ANY($1) AND started_at >= $2 AND started_at < $3`;
  const hour = `${HOUR_OF_CALL} = date_bin('1 hour', $2, '2000-01-01 00:00:00+00'::timestamptz)`;
  // Open and closed calls have separate indexes.
  return manager.query(
    `SELECT name, 1 AS sign, count(*) AS calls, sum(cost_nanodollars) AS cost_nanodollars FROM (
       SELECT ${column} AS name, cost_nanodollars FROM usage_calls WHERE status <> 'open' AND ${hour} AND ${during}
       UNION ALL SELECT ${column}, 0 FROM usage_calls WHERE status = 'open' AND ${during}
     ) AS call GROUP BY name`,
    [ids, from, to],
  );
}

const SLOT_SECONDS = 900;
const startOf = (slot: string) => `to_timestamp((${slot})::float8 * ${SLOT_SECONDS})`;

/**
 * The user's first successful call, if any. $1: the user's id. → `FirstSuccess`
 *
 * Searches hours in order. Before the hourly sums start, every hour, if the user had any calls then. Afterwards, the
 * hours of days on which the user may have an answered call, and the newest hours, which have no daily sums yet.
 */
const FIRST_OF_USER = `
  SELECT call.* FROM (
    SELECT hours_begin, days_up_to, oldest.day, ledger.first, ledger.last FROM usage_rollup_state CROSS JOIN LATERAL (
      SELECT min(slot) AS day FROM usage_key_days
    ) AS oldest CROSS JOIN LATERAL (
      SELECT date_bin('1 hour', min(started_at), '2000-01-01 00:00:00+00'::timestamptz) AS first, max(started_at) AS last
      FROM usage_calls WHERE status <> 'open'
    ) AS ledger
  ) AS state CROSS JOIN LATERAL (
    SELECT hour FROM generate_series(first, least(last, ${startOf('hours_begin - 1')}), interval '1 hour') AS hour
      WHERE EXISTS (SELECT FROM usage_groups WHERE user_id = $1 AND kind = 'key')
    UNION ALL SELECT ${startOf('day.slot + 4 * of_day')} FROM generate_series(state.day, days_up_to, 96) AS day (slot)
      CROSS JOIN generate_series(0, 23) AS of_day
      WHERE EXISTS (SELECT FROM usage_key_days AS made
        WHERE made.slot = day.slot AND user_id = $1 AND calls > errors + aborted OFFSET 0)
    UNION ALL SELECT hour FROM generate_series(greatest(first, ${startOf('days_up_to')}), last, interval '1 hour') AS hour
  ) AS hours CROSS JOIN LATERAL (
    SELECT started_at AS at, model FROM usage_calls
    WHERE status <> 'open' AND ${HOUR_OF_CALL} = hour AND user_id = $1
      AND started_at >= hour AND started_at < hour + interval '1 hour' AND status = 'settled'
    ORDER BY started_at LIMIT 1
  ) AS call LIMIT 1`;

/** A statement that uses this month's spending of keys or users. */
interface SpendingStatement {
  readonly of: 'key' | 'user';
  readonly now: Date;
  /** The statement's own parameters, which come first. */
  readonly values: readonly unknown[];
  /** `spent`: a relation of `id` and `cost`, without ids that have no spending. */
  readonly toSql: (spent: string) => string;
}

export function queryWithSpending<Row>(
  dataSource: DataSource,
  { of, now, values, toSql }: SpendingStatement,
): Promise<Row[]> {
  const cells = { starts: [slotFrom(utcPeriodOf('month', now).from)], end: slotFrom(now) + 1 };
  const span = { from: cells.starts[0] ?? 0, to: cells.end };
  return UsageReading.of(snapshotsOf(dataSource), span, {}, async (reading) => {
    const parameters = new SqlParameters(...values);
    const parts = await reading.allParts({ groupBy: of, cells, namesAs: 'uuid' }, 'cost_nanodollars', parameters);
    const costs = parts.map((part) => `SELECT name, sign * cost_nanodollars AS cost FROM (${part}) AS part`);
    const all = costs.join(' UNION ALL ') || 'SELECT NULL::uuid AS name, 0 AS cost WHERE false';
    const spent = `SELECT name AS id, sum(cost)::bigint AS cost FROM (${all}) AS spent GROUP BY name`;
    return reading.manager.query(toSql(spent), parameters.values);
  });
}
