import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { ClockService } from '../../database/clock.service.js';
import { snapshotsOf } from '../../database/report-reader.service.js';
import { slotFrom, startOfSlot } from '../rollups/usage-slots.js';
import type { FirstSuccess, UsageTotals } from '../usage.types.js';
import { FIRST_OF_USER } from './first-success.js';
import { HOUR_OF_CALL } from './hour-parts.js';
import { COLUMN_OF } from './usage-filter.js';
import { UsageReading } from './usage-reading.js';
import type { Sums } from './usage-sums.types.js';

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
