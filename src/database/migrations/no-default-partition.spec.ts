import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { migrate } from '../../../test/support/released-schema.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { NoDefaultPartition1795940000000 } from './1795940000000-no-default-partition.js';
import { MIGRATIONS } from './migrations.js';

const ROWS = `INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status,
    price_version, cost_nanodollars)
  SELECT $1 || '-' || n, $1::timestamptz + n * interval '1 s', 1, 'r', md5('k')::uuid, md5('u')::uuid, 'free', 'm', false,
    'settled', 'p', n FROM generate_series(1, $2::int) AS n`;

describe('the default partition of the ledger', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase();
    await migrate(
      database.url,
      MIGRATIONS.filter((migration) => migration !== NoDefaultPartition1795940000000),
    );
  });
  afterEach(() => database?.drop());

  const fill = (day: string, rows: number) => database.query(ROWS, [day, rows]);
  const partitions = () =>
    database.query(
      `SELECT relname AS name, pg_get_expr(relpartbound, pg_class.oid) AS bound,
         (SELECT count(*)::int FROM pg_index WHERE indrelid = pg_class.oid AND indisvalid) AS indexes
       FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = 'usage_calls'::regclass ORDER BY 1`,
    );
  const sums = () => database.query('SELECT count(*)::int AS calls, sum(cost_nanodollars) AS cost FROM usage_calls');
  const indexes = async () => {
    const [row] = await database.query<{ indexes: number }>(
      "SELECT count(*)::int AS indexes FROM pg_index WHERE indrelid = 'usage_calls'::regclass",
    );
    return row?.indexes;
  };

  it('is dropped, which leaves a ledger without calls without partitions', async () => {
    await migrate(database.url, MIGRATIONS);
    expect(await partitions()).toEqual([]);
  });

  it('moves its few rows to partitions of their months', async () => {
    await fill('2026-03-31T23:59:50Z', 20);
    const before = await sums();
    await migrate(database.url, MIGRATIONS);
    expect(await sums()).toEqual(before);
    expect(await partitions()).toEqual([
      { name: 'usage_calls_2026_03', bound: expect.stringContaining('2026-03-01'), indexes: await indexes() },
      { name: 'usage_calls_2026_04', bound: expect.stringContaining('2026-05-01'), indexes: await indexes() },
    ]);
    expect(await database.query('SELECT FROM usage_calls_2026_04')).toHaveLength(11);
  });

  it('becomes the partition of the month of most of its rows', async () => {
    await fill('2026-03-01T00:00:00Z', 12_000);
    await fill('2026-02-01T00:00:00Z', 3);
    const before = await sums();
    const [table] = await database.query<{ oid: number }>("SELECT 'usage_calls_default'::regclass::oid AS oid");
    await migrate(database.url, MIGRATIONS);
    expect(await sums()).toEqual(before);
    expect(await database.query("SELECT 'usage_calls_2026_03'::regclass::oid AS oid")).toEqual([table]);
    expect(await partitions()).toEqual([
      { name: 'usage_calls_2026_02', bound: expect.any(String), indexes: await indexes() },
      { name: 'usage_calls_2026_03', bound: expect.stringContaining('2026-04-01'), indexes: await indexes() },
    ]);
    expect(await database.query("SELECT conname FROM pg_constraint WHERE conname = 'of_one_month'")).toEqual([]);
  });
});
