import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { CallWriters } from '../../../test/support/call-writers.js';
import { createBaseline, LATER_MIGRATIONS } from '../../../test/support/later-migrations.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { createServices } from '../../../test/support/test-services.js';
import { monthAfter, partitionOf } from '../../ledger/rows/usage-statements.js';
import { DatabaseServer } from '../database.server.js';
import { MigrationRunner } from '../migration-runner.js';
import { MIGRATIONS, namesOf } from './migrations.js';

/** `UPGRADE_ROWS=2000000` for a ledger of the size at which upgrades once failed calls. */
const ROWS = Number(process.env.UPGRADE_ROWS ?? 100_000);
const CALLS_A_SECOND = 100;

const SEED = `
  INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status,
    price_version, input_tokens, cost_nanodollars, attempts, total_ms)
  SELECT 'seeded-' || n, now() - n * interval '1 s', 1, 'r', md5((n % 200)::text)::uuid, md5((n % 60)::text)::uuid, 'free', 'm',
    false, CASE WHEN n % 50 = 0 THEN 'failed' ELSE 'settled' END, 'p', 10, 7, '[{"upstream": "u", "outcome": "ok"}]', 100
  FROM generate_series($1::int, $2::int) AS n`;
const PORTION = 100_000;

describe('an upgrade during 100 calls a second', () => {
  let database: TestDatabase;
  let writers: CallWriters;
  let session: pg.Client;

  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await writers?.stop();
    await session?.end();
    await database?.drop();
  });

  const seed = async () => {
    for (const month of [-1, 0, 1]) {
      const [from, to] = [monthAfter(new Date(), month), monthAfter(new Date(), month + 1)];
      await database.query(
        `CREATE TABLE ${partitionOf(from)} PARTITION OF usage_calls
         FOR VALUES FROM ('${from.toISOString()}') TO ('${to.toISOString()}')`,
      );
    }
    for (let from = 1; from <= ROWS; from += PORTION) {
      await database.query(SEED, [from, Math.min(ROWS, from + PORTION - 1)]);
    }
    await database.query(
      `INSERT INTO users (id, email) SELECT md5(n::text)::uuid, n || '@example.com' FROM generate_series(0, 59) AS n`,
    );
    await database.query(
      `INSERT INTO api_keys (user_id, name, key_hash, display) SELECT md5((n % 60)::text)::uuid, 'k', sha256(n::text::bytea), 'd'
       FROM generate_series(0, 4999) AS n`,
    );
    await database.query('VACUUM ANALYZE');
  };

  it(
    'an upgrade during 100 calls a second from the first release fails no call',
    async () => {
      await createBaseline(database.url);
      await seed();
      const services = await createServices(database.url);
      const options = await services.get(DatabaseServer).migrationOptions();
      session = new pg.Client({ connectionString: database.url });
      await session.connect();

      writers = new CallWriters(database.url, '17');
      writers.start(CALLS_A_SECOND);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const beganAt = performance.now();
      const retries = { isStopping: () => false, limitMs: Number.POSITIVE_INFINITY };
      const all = [...MIGRATIONS.slice(0, 1), ...LATER_MIGRATIONS];
      expect(await new MigrationRunner(session, options, retries, all).run()).toBe(true);
      const seconds = (performance.now() - beganAt) / 1000;
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await writers.stop();
      await services.close();

      const { calls, failures, slowestMs } = writers;
      if (process.env.UPGRADE_ROWS) {
        process.stderr.write(`${ROWS} rows, ${seconds.toFixed(1)} s, ${calls} calls, ${failures.length} failed, `);
        process.stderr.write(`the slowest statement ${Math.round(slowestMs)} ms\n`);
      }
      expect(failures).toEqual([]);
      expect(calls).toBeGreaterThan(150);
      const applied = await database.query<{ name: string }>('SELECT name FROM migrations');
      expect(applied.map(({ name }) => name)).toEqual(namesOf(all));
      expect(
        await database.query(
          `SELECT count(*)::int AS calls, count(*) FILTER (WHERE status = 'open')::int AS open,
             count(*) FILTER (WHERE sample = 0)::int AS unchanged FROM usage_calls`,
        ),
      ).toEqual([{ calls: ROWS + calls, open: 0, unchanged: 0 }]);
      expect(await database.query('SELECT FROM pg_index WHERE NOT indisvalid')).toEqual([]);
    },
    60_000 + ROWS / 5,
  );
});
