import { Logger } from '@nestjs/common';
import type { QueryRunner } from 'typeorm';
import { createOnPartitions, createOnTable, dropConcurrently, type NewIndex, stateOf } from './concurrent-index.js';

// How a migration changes tables that grow with every call, while calls are served. The steps commit one by one, so a
// migration that uses them sets `readonly transaction = false`. All its steps must be repeatable: it may stop in the
// middle, and then runs again from its beginning.

const PAUSE_MS = 20;
const REPORT_MS = 10_000;
const BLOCKS = 128;

/** An UPDATE of many rows. Afterwards, `where` matches no row. */
export interface TableChange {
  readonly table: string;
  readonly set: string;
  readonly where: string;
}

/** Creates an index while rows are written; of a partitioned table, one partition at a time. */
export async function createIndexConcurrently(runner: QueryRunner, index: NewIndex): Promise<void> {
  refuseTransaction(runner);
  const isNew = (await stateOf(runner, index.name)) === null;
  if (isNew && (await isEmpty(runner, index.table))) {
    const kind = index.unique ? 'UNIQUE INDEX' : 'INDEX';
    await runner.query(`CREATE ${kind} ${index.name} ON ${index.table} ${index.definition}`);
  } else if (await isPartitioned(runner, index.table)) {
    await createOnPartitions(runner, index);
  } else {
    await createOnTable(runner, index);
  }
}

/**
 * Drops an index, if it exists. Postgres locks a partitioned table with all its partitions for an instant; the lock timeout
 * bounds the wait.
 */
export async function dropIndexConcurrently(runner: QueryRunner, name: string): Promise<void> {
  refuseTransaction(runner);
  const state = await stateOf(runner, name);
  if (state?.partitioned) await runner.query(`DROP INDEX IF EXISTS ${name}`);
  else if (state) await dropConcurrently(runner, name);
}

/**
 * Repeats a statement until it changes no row, with a pause after each portion. The statement finds the remaining rows by an
 * index, with a LIMIT of some thousands.
 */
export async function backfill(runner: QueryRunner, portion: string): Promise<void> {
  refuseTransaction(runner);
  const progress = new Progress();
  while (await changePortion(runner, portion, progress));
}

/** Changes all matching rows of a table, some blocks at a time, until none is left. No index is needed. */
export async function backfillTable(runner: QueryRunner, { table, set, where }: TableChange): Promise<void> {
  refuseTransaction(runner);
  const progress = new Progress();
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const { name, blocks } of await leavesOf(runner, table)) {
      for (let block = 0; block < blocks; block += BLOCKS) {
        const here = `ctid >= '(${block},0)' AND ctid < '(${block + BLOCKS},0)'`;
        const changed = await changePortion(runner, `UPDATE ${name} SET ${set} WHERE ${here} AND (${where})`, progress);
        isChanged ||= changed;
      }
    }
  }
}

async function changePortion(runner: QueryRunner, portion: string, progress: Progress): Promise<boolean> {
  const { affected } = await runner.query(portion, undefined, true);
  if (!affected) return false;
  progress.add(affected);
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  return true;
}

/** A table, or the partitions of a partitioned one. */
async function leavesOf(runner: QueryRunner, table: string): Promise<{ name: string; blocks: number }[]> {
  return runner.query(
    `SELECT oid::regclass::text AS name, (pg_relation_size(oid) / current_setting('block_size')::int + 1)::float8 AS blocks
     FROM pg_class WHERE relkind = 'r' AND oid IN (SELECT relid FROM pg_partition_tree(to_regclass($1))
       UNION SELECT to_regclass($1)) ORDER BY 1`,
    [table],
  );
}

/** Logs the progress from time to time. */
class Progress {
  private readonly logger = new Logger('Migrations');
  private rows = 0;
  private reportedAt = performance.now();

  add(rows: number): void {
    this.rows += rows;
    if (performance.now() - this.reportedAt < REPORT_MS) return;
    this.reportedAt = performance.now();
    this.logger.log(`Migrating the database: ${this.rows} rows changed so far.`);
  }
}

async function isEmpty(runner: QueryRunner, table: string): Promise<boolean> {
  return (await runner.query(`SELECT FROM ${table} LIMIT 1`)).length === 0;
}

async function isPartitioned(runner: QueryRunner, table: string): Promise<boolean> {
  const [found] = await runner.query("SELECT relkind = 'p' AS partitioned FROM pg_class WHERE oid = to_regclass($1)", [
    table,
  ]);
  return found?.partitioned === true;
}

function refuseTransaction(runner: QueryRunner): void {
  if (runner.isTransactionActive) throw new Error('A migration that does this sets `readonly transaction = false`.');
}
