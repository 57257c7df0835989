import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import type { NewIndex } from './concurrent-index.js';
import { backfill, backfillTable, createIndexConcurrently, dropIndexConcurrently } from './growing-tables.js';

const INDEX: NewIndex = { table: 'grown', name: 'grown_size', definition: '(size, at) WHERE size > 0' };

describe('changes of growing tables', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let runner: QueryRunner;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await new DataSource({ type: 'postgres', url: database.url }).initialize();
    runner = dataSource.createQueryRunner();
  });
  afterAll(async () => {
    await runner?.release();
    await dataSource?.destroy();
  });
  beforeEach(async () => {
    await database.query('CREATE TABLE grown (at int NOT NULL, size int) PARTITION BY RANGE (at)');
    await database.query('CREATE TABLE grown_1 PARTITION OF grown FOR VALUES FROM (0) TO (100)');
    await database.query('CREATE TABLE grown_2 PARTITION OF grown FOR VALUES FROM (100) TO (200)');
    await database.query('INSERT INTO grown SELECT n, n % 7 FROM generate_series(0, 199) AS n');
    await database.query('CREATE TABLE flat AS SELECT n AS at, n % 7 AS size FROM generate_series(0, 199) AS n');
  });
  afterEach(async () => {
    for (const client of sessions.splice(0)) await client.end();
    await database.query('DROP TABLE grown, flat');
  });

  const indexes = (table: string) =>
    database.query(
      `SELECT relname AS name, indisvalid AS valid FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
       WHERE indrelid = $1::regclass ORDER BY 1`,
      [table],
    );
  const sessions: pg.Client[] = [];
  const session = async () => {
    const client = new pg.Client({ connectionString: database.url });
    sessions.push(client);
    await client.connect();
    return client;
  };
  const wholeIndex = [
    { table: 'grown', name: 'grown_size', valid: true },
    { table: 'grown_1', name: 'grown_size_1', valid: true },
    { table: 'grown_2', name: 'grown_size_2', valid: true },
  ];
  const expectWhole = async () => {
    for (const { table, name, valid } of wholeIndex) expect(await indexes(table)).toEqual([{ name, valid }]);
  };

  it('creates an index on every partition, and is repeatable', async () => {
    await createIndexConcurrently(runner, INDEX);
    await createIndexConcurrently(runner, INDEX);
    await expectWhole();
    expect(await database.query("SELECT pg_get_indexdef('grown_size_1'::regclass) AS sql")).toEqual([
      { sql: 'CREATE INDEX grown_size_1 ON public.grown_1 USING btree (size, at) WHERE (size > 0)' },
    ]);
  });

  it('continues after an interruption', async () => {
    await database.query('CREATE INDEX grown_size ON ONLY grown (size, at) WHERE size > 0');
    await database.query('CREATE INDEX grown_size_1 ON grown_1 (size, at) WHERE size > 0');
    await database.query('ALTER INDEX grown_size ATTACH PARTITION grown_size_1');
    await database.query('CREATE INDEX grown_size_2 ON grown_2 (size, at) WHERE size > 0');
    await createIndexConcurrently(runner, INDEX);
    await expectWhole();
  });

  it('rebuilds an index that was left incomplete', async () => {
    const unique = { table: 'flat', name: 'flat_at', definition: '(at)', unique: true };
    await database.query('INSERT INTO flat VALUES (1, 1)');
    await expect(createIndexConcurrently(runner, unique)).rejects.toThrow('could not create unique index');
    expect(await indexes('flat')).toEqual([{ name: 'flat_at', valid: false }]);
    await database.query('DELETE FROM flat WHERE ctid = (SELECT max(ctid) FROM flat WHERE at = 1)');
    await createIndexConcurrently(runner, unique);
    expect(await indexes('flat')).toEqual([{ name: 'flat_at', valid: true }]);
  });

  it('handles a partition that is attached meanwhile', async () => {
    const reader = await session();
    await reader.query('BEGIN; SELECT count(*) FROM grown_2; INSERT INTO grown_2 VALUES (101, 1)');
    const creating = createIndexConcurrently(runner, INDEX);
    await untilWaits();
    await database.query('CREATE TABLE grown_3 (LIKE grown INCLUDING ALL)');
    await database.query('ALTER TABLE grown ATTACH PARTITION grown_3 FOR VALUES FROM (200) TO (300)');
    await reader.query('COMMIT');
    await creating;
    await expectWhole();
    expect(await indexes('grown_3')).toEqual([{ name: 'grown_3_size_at_idx', valid: true }]);
  });

  it('blocks no write while it waits for a transaction, even beyond its own lock timeout', async () => {
    const writer = await session();
    await writer.query('BEGIN; INSERT INTO grown_1 VALUES (1, 1)');
    await runner.query("SET lock_timeout = '200ms'");
    const creating = createIndexConcurrently(runner, INDEX);
    await untilWaits();
    for (let row = 0; row < 10; row++) {
      await database.query("SET statement_timeout = '1s'; INSERT INTO grown VALUES (150, 2)");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await writer.query('COMMIT');
    await creating;
    await expectWhole();
    expect(await runner.query('SHOW lock_timeout')).toEqual([{ lock_timeout: '200ms' }]);
    await runner.query('RESET lock_timeout');
  });

  it('creates the index of an empty table in one statement', async () => {
    await database.query('TRUNCATE grown');
    await createIndexConcurrently(runner, INDEX);
    expect(await indexes('grown_1')).toEqual([{ name: 'grown_1_size_at_idx', valid: true }]);
  });

  it('drops indexes, with those of partitions', async () => {
    await createIndexConcurrently(runner, INDEX);
    await createIndexConcurrently(runner, { table: 'flat', name: 'flat_at', definition: '(at)' });
    for (const name of ['grown_size', 'flat_at', 'flat_at']) await dropIndexConcurrently(runner, name);
    for (const table of ['grown', 'grown_1', 'flat']) expect(await indexes(table)).toEqual([]);
  });

  it('changes rows in committed portions until none is left', async () => {
    const seen: unknown[] = [];
    let isDone = false;
    const look = async () => {
      while (!isDone) seen.push(...(await database.query('SELECT count(*)::int AS changed FROM flat WHERE size = 9')));
    };
    const looking = look();
    const portion = `UPDATE flat SET size = 9
      WHERE ctid = ANY (ARRAY(SELECT ctid FROM flat WHERE size <> 9 LIMIT 20))`;
    await backfill(runner, portion);
    isDone = true;
    await looking;
    expect(await database.query('SELECT DISTINCT size FROM flat')).toEqual([{ size: 9 }]);
    expect(seen).toContainEqual({ changed: 100 });
  });

  it('changes all rows of every partition, including those that move meanwhile', async () => {
    await database.query('INSERT INTO grown SELECT n % 200, 3 FROM generate_series(1, 100000) AS n');
    const done = backfillTable(runner, { table: 'grown', set: 'size = 9', where: 'size <> 9' });
    await database.query('UPDATE grown SET at = at + 1 WHERE at < 90');
    await done;
    expect(await database.query('SELECT size, count(*)::int AS rows FROM grown GROUP BY 1')).toEqual([
      { size: 9, rows: 100_200 },
    ]);
    await backfillTable(runner, { table: 'flat', set: 'size = 9', where: 'size IS DISTINCT FROM 9' });
    expect(await database.query('SELECT DISTINCT size FROM flat')).toEqual([{ size: 9 }]);
  });

  it('rejects a transaction, which would defeat its purpose', async () => {
    await runner.startTransaction();
    for (const step of [
      createIndexConcurrently(runner, INDEX),
      dropIndexConcurrently(runner, 'grown_size'),
      backfill(runner, 'UPDATE flat SET size = 9'),
      backfillTable(runner, { table: 'flat', set: 'size = 9', where: 'size <> 9' }),
    ]) {
      await expect(step).rejects.toThrow('sets `readonly transaction = false`');
    }
    await runner.rollbackTransaction();
  });

  async function untilWaits(): Promise<void> {
    for (let looks = 0; looks < 100; looks++) {
      const [row] = await database.query<{ waits: boolean }>(
        `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
           AND wait_event_type = 'Lock' AND query LIKE 'CREATE INDEX CONCURRENTLY%') AS waits`,
      );
      if (row?.waits) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error('the index waits for nothing');
  }
});
