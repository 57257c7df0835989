import { monthAfter, partitionOf } from '../../src/ledger/rows/usage-months.js';
import type { TestDatabase } from './test-database.js';

/** Creates the ledger's partitions from one date to another, for rows that a test writes itself. */
export async function createPartitions(
  { query }: Pick<TestDatabase, 'query'>,
  from: Date,
  until = from,
): Promise<void> {
  for (let month = monthAfter(from, 0); month <= until; month = monthAfter(month, 1)) {
    const range = `FROM ('${month.toISOString()}') TO ('${monthAfter(month, 1).toISOString()}')`;
    await query(`CREATE TABLE IF NOT EXISTS ${partitionOf(month)} PARTITION OF usage_calls FOR VALUES ${range}`);
  }
}
