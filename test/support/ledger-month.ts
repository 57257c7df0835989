import { monthAfter, partitionOf } from '../../src/usage/ledger/usage-months.js';
import type { TestDatabase } from './test-database.js';

/** A partition of the ledger, for rows that are written past the gateway. */
export async function makeLedgerMonth(database: TestDatabase, at: Date): Promise<void> {
  await database.query(
    `CREATE TABLE IF NOT EXISTS ${partitionOf(at)} PARTITION OF usage_calls
     FOR VALUES FROM ('${monthAfter(at, 0).toISOString()}') TO ('${monthAfter(at, 1).toISOString()}')`,
  );
}
