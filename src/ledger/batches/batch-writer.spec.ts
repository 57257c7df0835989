import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { eventually } from '../../../test/support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { jsonRows, NotWrittenError } from './batch.js';
import { BatchWriter } from './batch-writer.js';

const INSERT = `INSERT INTO written (id, text)
  SELECT id, text FROM json_to_recordset($1::json) AS row (id int, text text) ON CONFLICT DO NOTHING`;

describe('BatchWriter', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let writer: BatchWriter<string>;
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
    writer = new BatchWriter({ pool, format: jsonRows('insert-written', INSERT), patienceMs: 2500, mostWaiting: 2000 });
  });
  beforeEach(async () => {
    await database.query('TRUNCATE written');
    statements.length = 0;
  });
  afterAll(async () => {
    await pool?.end();
  });

  const write = (id: number, text = 'text') => writer.write(JSON.stringify({ id, text }));
  const stored = async () =>
    (await database.query<{ id: number }>('SELECT id FROM written ORDER BY id')).map((r) => r.id);
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

  it('stores a row before its promise resolves', async () => {
    await write(1);
    expect(await stored()).toEqual([1]);
  });

  it('writes the rows of one turn with one statement, and rows that arrive meanwhile with the next', async () => {
    const first = numbers(100).map((id) => write(id));
    await new Promise(setImmediate);
    const later = numbers(100).map((id) => write(100 + id));
    await Promise.all([...first, ...later]);
    expect(statements).toHaveLength(2);
    expect(await stored()).toEqual(numbers(200));
  });

  it('gathers rows after a statement with many rows, but not after a pause', async () => {
    const begun = async () => {
      await new Promise(setImmediate);
      return statements.length;
    };
    const waited: boolean[] = [];
    // On a busy machine some of these pauses may count as idle.
    for (let trial = 0; trial < 20; trial++) {
      statements.length = 0;
      await Promise.all(numbers(10).map((id) => write(trial * 100 + id)));
      const gathered = write(trial * 100 + 10);
      waited.push((await begun()) === 1);
      await gathered;
    }
    expect(waited.filter(Boolean).length).toBeGreaterThan(10);
    await Promise.all(numbers(10).map((id) => write(3000 + id)));
    await sleep(20);
    statements.length = 0;
    const atOnce = write(3010);
    expect(await begun()).toBe(1);
    await atOnce;
  });

  it('does not gather after a statement with few rows', async () => {
    await Promise.all(numbers(7).map((id) => write(id)));
    const next = write(7);
    await new Promise(setImmediate);
    expect(statements).toHaveLength(2);
    await next;
  });

  it.each([
    { enough: 12, isTogether: true },
    { enough: 6, isTogether: false },
  ])('gathers rows under load, up to $enough', async ({ enough, isTogether }) => {
    const format = jsonRows('insert-written', INSERT);
    const loaded = new BatchWriter({ pool, format, patienceMs: 1500, mostWaiting: 2000, enough: () => enough });
    const writeAll = (from: number, count: number) =>
      Promise.all(numbers(count).map((id) => loaded.write(JSON.stringify({ id: from + id, text: 'text' }))));
    const trials: boolean[] = [];
    // On a busy machine some may be late.
    for (let trial = 0; trial < 20; trial++) {
      await writeAll(trial * 100, 10);
      statements.length = 0;
      const first = writeAll(trial * 100 + 10, 6);
      await sleep(5);
      await Promise.all([first, writeAll(trial * 100 + 16, 6)]);
      trials.push(statements.length === 1);
    }
    expect(trials.includes(true)).toBe(isTogether);
  });

  it('immediately builds a second statement when the one for the usual case fails', async () => {
    const failures: unknown[] = [];
    const usual = new BatchWriter({
      pool,
      format: {
        ...jsonRows('', ''),
        query: (rows, isRepeated) =>
          isRepeated
            ? { name: 'insert-written', text: INSERT, values: [`[${rows.join(',')}]`] }
            : { text: 'SELECT * FROM no_such_table' },
        shouldRebuildAfter: (error) => (error as { code?: string }).code === '42P01',
      },
      patienceMs: 1500,
      mostWaiting: 2000,
      onFailure: (error) => failures.push(error),
    });
    await Promise.all(numbers(3).map((id) => usual.write(JSON.stringify({ id, text: 'text' }))));
    expect(await stored()).toEqual([0, 1, 2]);
    expect(failures).toEqual([]);
  });

  it('writes at most 500 rows with one statement', async () => {
    await Promise.all(numbers(1200).map((id) => write(id)));
    expect(statements.map((rows) => JSON.parse(rows).length)).toEqual([500, 500, 200]);
  });

  it('fails only the row that Postgres rejects', async () => {
    const results = await Promise.allSettled(
      numbers(50).map((id) => write(id, id === 20 ? 'far too long' : id === 33 ? 'nul \u0000' : 'text')),
    );
    const failed = numbers(50).filter((id) => results[id]?.status === 'rejected');
    expect(failed).toEqual([20, 33]);
    expect(await stored()).toEqual(numbers(50).filter((id) => !failed.includes(id)));
  });

  it('continues with a new connection when the old one breaks', async () => {
    await write(1);
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE query LIKE 'INSERT INTO written%' AND datname = current_database() AND pid <> pg_backend_pid()`,
    );
    await Promise.all([write(2), write(3)]);
    expect(await stored()).toEqual([1, 2, 3]);
  });

  describe('while no rows can be written', () => {
    let locker: pg.Client;

    beforeEach(async () => {
      locker = new pg.Client({ connectionString: database.url });
      await locker.connect();
      await locker.query('BEGIN; LOCK TABLE written IN ACCESS EXCLUSIVE MODE');
    });
    afterEach(() => locker.end());

    it('retries, and writes rows that arrived meanwhile', async () => {
      const first = write(1);
      await eventually(() => statements.length > 1);
      const second = write(2);
      await locker.end();
      await Promise.all([first, second]);
      expect(await stored()).toEqual([1, 2]);
    });

    it('rejects rows that waited too long, and says whether they may be stored', async () => {
      const beganAt = performance.now();
      const first = Promise.allSettled(numbers(20).map((id) => write(id)));
      await eventually(() => statements.length > 0);
      const second = await Promise.allSettled([write(100)]);
      for (const result of await first) {
        expect(result).toMatchObject({ status: 'rejected', reason: { mayBeStored: true, cause: { code: '57014' } } });
      }
      expect(second).toEqual([expect.objectContaining({ reason: expect.any(NotWrittenError) })]);
      expect(performance.now() - beganAt).toBeGreaterThanOrEqual(2500);
      await locker.end();
      await write(200);
      expect(await stored()).toContain(200);
      expect(statements.length).toBeLessThan(10);
    });

    it('writes kept rows, however long that takes', async () => {
      expect(writer.keep(JSON.stringify({ id: 1, text: 'kept' }))).toBe(true);
      await expect(write(2)).rejects.toThrow(NotWrittenError);
      await locker.end();
      await writer.flush();
      expect(await stored()).toContain(1);
    });

    it('accepts no more rows than it has room for', async () => {
      const results = Promise.allSettled(numbers(2600).map((id) => write(id)));
      expect(writer.keep('{}')).toBe(false);
      await expect(write(3000)).rejects.toMatchObject({ mayBeStored: false });
      await locker.end();
      expect((await results).filter(({ status }) => status === 'fulfilled')).toHaveLength(2000);
    });

    it('rejects immediately after a long failure', async () => {
      const quick = new BatchWriter({
        pool,
        format: jsonRows('insert-quickly', INSERT),
        patienceMs: 60_000,
        rejectsAfterMs: 500,
        mostWaiting: 10,
      });
      const waiting = quick.write(JSON.stringify({ id: 1, text: 'text' }));
      await eventually(() => quick.delayMs === Number.POSITIVE_INFINITY);
      await expect(quick.write(JSON.stringify({ id: 2, text: 'text' }))).rejects.toThrow(NotWrittenError);
      await locker.end();
      await waiting;
      expect(await stored()).toEqual([1]);
    });
  });

  it('is flushed when no rows wait', async () => {
    await writer.flush();
    const writes = numbers(700).map((id) => write(id));
    await writer.flush();
    expect(await stored()).toEqual(numbers(700));
    await Promise.all(writes);
  });

  it('estimates the delay of a row without requests', async () => {
    await writer.startWatching();
    expect(statements).toEqual(['[]']);
    await eventually(() => writer.delayMs < 1000);
    const locker = new pg.Client({ connectionString: database.url });
    await locker.connect();
    await locker.query('BEGIN; LOCK TABLE written IN ACCESS EXCLUSIVE MODE');
    await eventually(() => writer.delayMs > 500);
    await eventually(() => writer.delayMs === Number.POSITIVE_INFINITY);
    await locker.end();
    await eventually(() => writer.delayMs < 1000);
    await database.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'INSERT INTO written%' AND pid <> pg_backend_pid()",
    );
    expect(writer.stop()).toEqual([]);
  });
});
