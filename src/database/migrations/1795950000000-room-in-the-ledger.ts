import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/**
 * Free space in the pages of the ledger, so that a call is closed on the page on which it was opened, and new calls
 * share the few pages at the end. Without it, each call was written to another page that had a little space, and the
 * whole page to the WAL.
 */
export class RoomInTheLedger1795950000000 implements Migration {
  readonly name = 'RoomInTheLedger1795950000000';

  async up(runner: QueryRunner): Promise<void> {
    await setOnPartitions(runner, 'SET (fillfactor = 60)');
  }
}

async function setOnPartitions(runner: QueryRunner, change: string): Promise<void> {
  const partitions: { name: string }[] = await runner.query(
    "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'usage_calls'::regclass ORDER BY 1",
  );
  for (const { name } of partitions) await runner.query(`ALTER TABLE ${name} ${change}`);
}
