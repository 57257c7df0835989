import { monthAfter, partitionOf } from '../../src/usage/ledger/usage-months.js';
import type { TestDatabase } from './test-database.js';

/** Partitions of the ledger for every month from one date to another: calls are about to be inserted past the gateway. */
export async function makeLedgerMonths(database: TestDatabase, from: Date, to = from): Promise<void> {
  for (let month = monthAfter(from, 0); month <= to; month = monthAfter(month, 1)) {
    await database.query(
      `CREATE TABLE IF NOT EXISTS ${partitionOf(month)} PARTITION OF usage_calls
       FOR VALUES FROM ('${month.toISOString()}') TO ('${monthAfter(month, 1).toISOString()}')`,
    );
  }
}
