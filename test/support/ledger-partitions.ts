import { monthAfter, partitionOf } from '../../src/ledger/rows/usage-statements.js';
import type { TestDatabase } from './test-database.js';

/**
 * Creates the ledger's partitions from one date to another, for rows that a test writes itself. Attached as by the
 * gateway: `CREATE TABLE … PARTITION OF` would wait for a reader, and the ledger's writers behind it.
 */
export async function createPartitions(
  { query }: Pick<TestDatabase, 'query'>,
  from: Date,
  until = from,
): Promise<void> {
  for (let month = monthAfter(from, 0); month <= until; month = monthAfter(month, 1)) {
    const name = partitionOf(month);
    const [found] = await query('SELECT 1 AS one WHERE to_regclass($1) IS NOT NULL', [name]);
    if (found) continue;
    const range = `FROM ('${month.toISOString()}') TO ('${monthAfter(month, 1).toISOString()}')`;
    await query(`CREATE TABLE ${name} (LIKE usage_calls INCLUDING ALL)`);
    await query(`ALTER TABLE usage_calls ATTACH PARTITION ${name} FOR VALUES ${range}`);
  }
}
