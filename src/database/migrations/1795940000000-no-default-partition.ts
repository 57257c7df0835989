import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

const DEFAULT = 'usage_calls_default';
/** A month with more rows is not moved: the default partition becomes the partition of that month. */
const FEW = 10_000;

interface Month {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly rows: number;
}

/**
 * Removes the ledger's default partition: Postgres locked it to attach another month, and so waited for backups. Its rows
 * move to partitions of their months.
 */
export class NoDefaultPartition1795940000000 implements Migration {
  readonly name = 'NoDefaultPartition1795940000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    while (await hasDefault(runner)) {
      const [largest, ...others] = await monthsOf(runner);
      const isKept = largest !== undefined && largest.rows > FEW;
      for (const month of isKept ? others : [largest, ...others]) {
        if (month) await inTransaction(runner, () => move(runner, month));
      }
      if (isKept) await keepAs(runner, largest);
      else await inTransaction(runner, () => dropIfEmpty(runner));
    }
  }
}

async function hasDefault(runner: QueryRunner): Promise<boolean> {
  const [found] = await runner.query('SELECT to_regclass($1) IS NOT NULL AS found', [DEFAULT]);
  return found.found;
}

/** The months of the default partition's rows, the largest first. */
function monthsOf(runner: QueryRunner): Promise<Month[]> {
  const literal = (month: string) => `to_char(${month}, 'YYYY-MM-DD') || ' 00:00:00+00'`;
  return runner.query(
    `SELECT 'usage_calls_' || to_char(month, 'YYYY_MM') AS name, ${literal('month')} AS from,
       ${literal("month + interval '1 month'")} AS to, rows
     FROM (SELECT date_trunc('month', started_at AT TIME ZONE 'UTC') AS month, count(*)::int AS rows FROM ${DEFAULT} GROUP BY 1)
       AS months
     ORDER BY rows DESC`,
  );
}

async function move(runner: QueryRunner, { name, from, to }: Month): Promise<void> {
  await runner.query(`CREATE TABLE ${name} (LIKE usage_calls INCLUDING ALL)`);
  await runner.query(
    `WITH moved AS (DELETE FROM ${DEFAULT} WHERE started_at >= '${from}' AND started_at < '${to}' RETURNING *)
     INSERT INTO ${name} SELECT * FROM moved`,
  );
  await runner.query(`ALTER TABLE usage_calls ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}')`);
}

/** With a validated constraint, Postgres needs no check under a lock. */
async function keepAs(runner: QueryRunner, { name, from, to }: Month): Promise<void> {
  await runner.query(`ALTER TABLE ${DEFAULT} DROP CONSTRAINT IF EXISTS of_one_month`);
  await runner.query(`
    ALTER TABLE ${DEFAULT} ADD CONSTRAINT of_one_month
      CHECK (started_at IS NOT NULL AND started_at >= '${from}' AND started_at < '${to}') NOT VALID`);
  await runner.query(`ALTER TABLE ${DEFAULT} VALIDATE CONSTRAINT of_one_month`);
  await inTransaction(runner, async () => {
    await runner.query(`ALTER TABLE usage_calls DETACH PARTITION ${DEFAULT}`);
    await runner.query(`ALTER TABLE ${DEFAULT} RENAME TO ${name}`);
    await runner.query(`ALTER TABLE usage_calls ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}')`);
    await runner.query(`ALTER TABLE ${name} DROP CONSTRAINT of_one_month`);
  });
}

/** Rows may have been added since the others were moved. */
async function dropIfEmpty(runner: QueryRunner): Promise<void> {
  await runner.query(`ALTER TABLE usage_calls DETACH PARTITION ${DEFAULT}`);
  const [left] = await runner.query(`SELECT 1 AS one FROM ${DEFAULT} LIMIT 1`);
  await runner.query(left ? `ALTER TABLE usage_calls ATTACH PARTITION ${DEFAULT} DEFAULT` : `DROP TABLE ${DEFAULT}`);
}

async function inTransaction(runner: QueryRunner, work: () => Promise<void>): Promise<void> {
  await runner.startTransaction();
  try {
    await work();
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}
