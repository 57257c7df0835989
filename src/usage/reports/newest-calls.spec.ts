import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { createPartitions } from '../../../test/support/ledger-partitions.js';
import { createMigratedDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { startServices } from '../../../test/support/test-services.js';
import { UsageRollupsService } from '../rollups/usage-rollups.service.js';
import { UsageModule } from '../usage.module.js';
import type { UsageFilter } from '../usage.types.js';
import { newestCalls } from './newest-calls.js';

const [busy, quiet, absent] = [randomUUID(), randomUUID(), randomUUID()];
const CALLS = 20_000;
const FROM = new Date('2026-05-01T00:00:00Z');
const TO = new Date('2026-05-11T00:00:00Z');
const LIMIT = 50;

describe('the newest calls that match a filter', () => {
  let database: TestDatabase;
  let services: INestApplicationContext;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    services = await startServices(database.url, UsageModule);
    await createPartitions(database, FROM);
    await database.query(
      `INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status, price_version)
       SELECT 'chatcmpl-' || n, $1::timestamptz + n * interval '40 s', 1, 'r', $2::uuid, CASE WHEN n % 4000 = 5 THEN $3::uuid ELSE $2::uuid END, 'free',
         CASE WHEN n % 5000 = 7 THEN 'rare' ELSE 'usual' END, false,
         CASE WHEN n % 7000 = 9 THEN 'interrupted' ELSE 'settled' END, 'v'
       FROM generate_series(1, ${CALLS}) AS n`,
      [FROM, busy, quiet],
    );
    await database.query('ANALYZE');
    await services.get(UsageRollupsService).rollUp();
    while (await services.get(UsageRollupsService).makeDays(TO));
    await database.query('ANALYZE');
  });

  /** The number of calls found, and of rows of the ledger read. */
  const found = (filter: UsageFilter) =>
    services.get<DataSource>(getDataSourceToken()).transaction('REPEATABLE READ', async (manager) => {
      const before = await rowsRead(manager);
      const calls = await newestCalls(manager, { from: FROM, to: TO, behind: null, limit: LIMIT, ...filter });
      const rows = (await rowsRead(manager)) - before;
      return { calls: calls.length, rows };
    });

  it.each([
    ['nobody', { users: [absent] }, 0],
    ['an unused model', { models: ['never'] }, 0],
    ['a status that none of the user’s calls has', { users: [quiet], statuses: ['interrupted'] }, 0],
    ['calls in progress', { statuses: ['open'] }, 0],
    ['an unknown key', { keys: [absent] }, 0],
    ['a quiet user', { users: [quiet] }, 5],
    ['a rare model', { models: ['rare'] }, 4],
    ['a rare status', { statuses: ['interrupted'] }, 3],
    ['a rare model of a busy user', { users: [busy], models: ['rare'] }, 4],
    ['a busy user', { users: [busy] }, LIMIT],
    ['a usual model', { models: ['usual'], statuses: ['settled'] }, LIMIT],
  ])('read few rows of the ledger: %s', async (_, filter, calls) => {
    const read = await found(filter);
    expect(read.calls).toBe(calls);
    expect(read.rows).toBeLessThanOrEqual(calls === 0 ? 10 : 1000);
  });
});

/** Rows of the ledger read by this connection. */
async function rowsRead(manager: EntityManager): Promise<number> {
  const [{ rows }] = await manager.query(
    `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS rows FROM pg_stat_xact_user_tables
     WHERE relname LIKE 'usage\\_calls%'`,
  );
  return rows;
}
