import type { QueryRunner } from 'typeorm';

/** An index to create while rows are written. */
export interface NewIndex {
  readonly table: string;
  readonly name: string;
  /** What follows the table's name, as `(key_id, started_at) WHERE status <> 'open'`. */
  readonly definition: string;
  readonly unique?: boolean;
}

const UNDEFINED_TABLE = '42P01';

/** Creates the index of one table, unless it exists. An index that a failure left invalid is built again. */
export async function createOnTable(runner: QueryRunner, index: NewIndex): Promise<void> {
  const state = await stateOf(runner, index.name);
  if (state?.valid) return;
  if (state) await dropConcurrently(runner, index.name);
  await withoutLockTimeout(
    runner,
    `CREATE ${kindOf(index)} CONCURRENTLY IF NOT EXISTS ${index.name} ON ${target(index)}`,
  );
}

/**
 * Creates the index of a partitioned table: first on the table only, which new partitions copy, then on each partition. With
 * the last one, the table's index becomes valid.
 */
export async function createOnPartitions(runner: QueryRunner, index: NewIndex): Promise<void> {
  await runner.query(`CREATE ${kindOf(index)} IF NOT EXISTS ${index.name} ON ONLY ${target(index)}`);
  for (;;) {
    const partitions = await partitionsWithout(runner, index);
    if (partitions.length === 0) return;
    for (const partition of partitions) {
      await createOnPartition(runner, index, partition).catch((error) => {
        // Retention has dropped the partition.
        if ((error as { code?: string }).code !== UNDEFINED_TABLE) throw error;
      });
    }
  }
}

export async function dropConcurrently(runner: QueryRunner, name: string): Promise<void> {
  await withoutLockTimeout(runner, `DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}

/** Null if there is no such index. */
export async function stateOf(
  runner: QueryRunner,
  name: string,
): Promise<{ valid: boolean; partitioned: boolean } | null> {
  const [found] = await runner.query(
    `SELECT indisvalid AS valid, relkind = 'I' AS partitioned
     FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indexrelid = to_regclass($1)`,
    [name],
  );
  return found ?? null;
}

async function createOnPartition(runner: QueryRunner, index: NewIndex, partition: string): Promise<void> {
  const name = `${index.name}_${partition.replace(`${index.table}_`, '')}`;
  await createOnTable(runner, { ...index, table: partition, name });
  await runner.query(`ALTER INDEX ${index.name} ATTACH PARTITION ${name}`);
}

async function partitionsWithout(runner: QueryRunner, { table, name }: NewIndex): Promise<string[]> {
  const rows: { name: string }[] = await runner.query(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits AS p
     WHERE inhparent = to_regclass($1) AND NOT EXISTS (
       SELECT FROM pg_index JOIN pg_inherits AS i ON i.inhrelid = indexrelid
       WHERE indrelid = p.inhrelid AND i.inhparent = to_regclass($2)
     ) ORDER BY 1`,
    [table, name],
  );
  return rows.map((row) => row.name);
}

/** For a statement that blocks no other statements while it waits. */
async function withoutLockTimeout(runner: QueryRunner, statement: string): Promise<void> {
  const [{ lock_timeout: before }] = await runner.query('SHOW lock_timeout');
  await runner.query('SET lock_timeout = 0');
  try {
    await runner.query(statement);
  } finally {
    await runner.query(`SET lock_timeout = '${before}'`);
  }
}

function kindOf({ unique }: NewIndex): string {
  return unique ? 'UNIQUE INDEX' : 'INDEX';
}

function target({ table, definition }: NewIndex): string {
  return `${table} ${definition}`;
}
