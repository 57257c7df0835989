import { usageEvents } from '../rollups/usage-events.js';
import { rollupTable } from '../rollups/usage-rollup-kinds.js';
import { blocksOf, slotFrom } from '../rollups/usage-slots.js';
import { COLUMN_OF } from './usage-filter.js';

interface SpentRelation {
  /** Of the columns `id` and `cost`; whoever has spent nothing is missing. */
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** What every key or user has spent since the beginning of a quarter-hour, for statements that sort by it. */
export function spentRelation(of: 'key' | 'user', since: Date, now: Date, firstParameter: number): SpentRelation {
  const column = COLUMN_OF[of];
  const blocks = [...blocksOf({ starts: [slotFrom(since)], end: slotFrom(now) + 1 })];
  const table = rollupTable('key');
  const parts = blocks.map(
    ([size], index) =>
      `SELECT group_id, sum(cost_nanodollars) AS cost FROM ${table}_${size}
       WHERE slot = ANY($${firstParameter + 1 + index}::int[]) GROUP BY group_id`,
  );
  const events = usageEvents('(SELECT rolled_up_to FROM usage_rollup_state)', null, `started_at >= $${firstParameter}`);
  const sql = `
    SELECT id, sum(cost)::bigint AS cost FROM (
      SELECT ${column} AS id, cost FROM (${parts.join(' UNION ALL ')}) AS part JOIN usage_groups ON usage_groups.id = group_id
      UNION ALL SELECT ${column}, cost_nanodollars FROM (${events}) AS event
    ) AS spent GROUP BY id`;
  return { sql, values: [since, ...blocks.map(([, { slots }]) => slots)] };
}
