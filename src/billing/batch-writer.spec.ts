import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { BatchWriter } from './batch-writer.js';

const INSERT = `INSERT INTO written (id, text)
  SELECT id, text FROM json_to_recordset($1::json) AS row (id int, text text) ON CONFLICT DO NOTHING`;

describe('BatchWriter', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let writer: BatchWriter;
  const statements: string[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query('CREATE TABLE written (id int PRIMARY KEY, text text CHECK (length(text) < 10))');
    pool = new pg.Pool({ connectionString: database.url, max: 1, statement_timeout: 1000 });
    pool.on('error', () => undefined);
    const query = pool.query.bind(pool) as (config: pg.QueryConfig) => Promise<pg.QueryResult>;
    Object.assign(pool, {
      query: (config: pg.QueryConfig) => {
        statements.push(String(config.values?.[0]));
        return query(config);
      },
    });
    writer = new BatchWriter(pool, 'insert-written', INSERT);
  });
  beforeEach(async () => {
    await database.query('TRUNCATE written');
    statements.length = 0;
  });
  afterAll(async () => {
    await pool?.end();
    await database?.drop();
  });

  const write = (id: number, text = 'text') => writer.write(JSON.stringify({ id, text }));
  const stored = async () =>
    (await database.query<{ id: number }>('SELECT id FROM written ORDER BY id')).map((r) => r.id);
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

  it('stores a row before its promise resolves', async () => {
    await write(1);
    expect(await stored()).toEqual([1]);
  });

  it('writes what comes in one turn with one statement, and what comes meanwhile with the next', async () => {
    const first = numbers(100).map((id) => write(id));
    await new Promise(setImmediate);
    const later = numbers(100).map((id) => write(100 + id));
    await Promise.all([...first, ...later]);
    expect(statements).toHaveLength(2);
    expect(await stored()).toEqual(numbers(200));
  });

  it('writes at most 500 rows with one statement', async () => {
    await Promise.all(numbers(1200).map((id) => write(id)));
    expect(statements.map((rows) => JSON.parse(rows).length)).toEqual([500, 500, 200]);
  });

  it('lets a row that Postgres refuses fail alone', async () => {
    const results = await Promise.allSettled(
      numbers(50).map((id) => write(id, id === 20 ? 'far too long' : id === 33 ? 'nul \u0000' : 'text')),
    );
    const failed = numbers(50).filter((id) => results[id]?.status === 'rejected');
    expect(failed).toEqual([20, 33]);
    expect(await stored()).toEqual(numbers(50).filter((id) => !failed.includes(id)));
  });

  it('goes on with a new connection when the old one is broken', async () => {
    await write(1);
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE query LIKE 'INSERT INTO written%' AND datname = current_database() AND pid <> pg_backend_pid()`,
    );
    await Promise.all([write(2), write(3)]);
    expect(await stored()).toEqual([1, 2, 3]);
  });

  it('fails all rows of a statement that ran out of time at once, not one after the other', async () => {
    const locker = new pg.Client({ connectionString: database.url });
    await locker.connect();
    try {
      await locker.query('BEGIN; LOCK TABLE written IN ACCESS EXCLUSIVE MODE');
      const beganAt = performance.now();
      const results = await Promise.allSettled(numbers(20).map((id) => write(id)));
      expect(results.every(({ status }) => status === 'rejected')).toBe(true);
      expect(performance.now() - beganAt).toBeLessThan(2500);
      expect(statements).toHaveLength(1);
    } finally {
      await locker.end();
    }
    await write(1);
    expect(await stored()).toEqual([1]);
  });

  it('is flushed once nothing waits any more', async () => {
    await writer.flush();
    const writes = numbers(700).map((id) => write(id));
    await writer.flush();
    expect(await stored()).toEqual(numbers(700));
    await Promise.all(writes);
  });
});
