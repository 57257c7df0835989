import type { DataSource } from 'typeorm';
import { snapshotsOf } from '../../database/report-reader.service.js';
import { utcPeriodOf } from '../../limits/values/utc-periods.js';
import { slotFrom } from '../rollups/usage-slots.js';
import { SqlParameters } from './sql-parameters.js';
import { UsageReading } from './usage-reading.js';

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
