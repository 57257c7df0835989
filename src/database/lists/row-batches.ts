import type { DataSource, QueryRunner } from 'typeorm';

const BATCH = 1000;

/** The rows of a query in one snapshot, in batches, of which only one is in memory. */
export async function* rowBatches<Row>(
  dataSource: DataSource,
  sql: string,
  values: readonly unknown[] = [],
): AsyncGenerator<Row[]> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query(`DECLARE row_batches NO SCROLL CURSOR FOR ${sql}`, [...values]);
    yield* fetched<Row>(runner);
    await runner.commitTransaction();
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    await runner.release();
  }
}

async function* fetched<Row>(runner: QueryRunner): AsyncGenerator<Row[]> {
  for (;;) {
    const rows: Row[] = await runner.query(`FETCH ${BATCH} FROM row_batches`);
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
  }
}
