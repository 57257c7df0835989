import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { createPartitions } from '../../../test/support/ledger-partitions.js';
import { createMigratedDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { startServices } from '../../../test/support/test-services.js';
import { UsageModule } from '../usage.module.js';
import { UsageRollupsService } from './usage-rollups.service.js';

const CALLS = 500;
const USER = randomUUID();
const BEGIN = new Date('2026-05-04T09:00:00Z');
const NEXT_DAY = new Date('2026-05-05T12:00:00Z');
const MUCH_LATER = new Date('2026-09-01T12:00:00Z');

describe('the number of rows per key in the roll-ups', () => {
  let database: TestDatabase;
  let services: INestApplicationContext;
  let rollups: UsageRollupsService;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    services = await startServices(database.url, UsageModule);
    rollups = services.get(UsageRollupsService);
    await createPartitions(database, BEGIN);
  });

  const rowsOfKeys = async () => {
    const [row] = await database.query<{ hours: number; keyDays: number; callDays: number; others: number }>(
      `SELECT (SELECT count(*) FROM usage_hours)::int AS hours, (SELECT count(*) FROM usage_key_days)::int AS "keyDays",
         (SELECT count(*) FROM usage_call_days)::int AS "callDays",
         (SELECT count(*) FROM usage_groups WHERE key_id IS NOT NULL)::int + (SELECT count(*) FROM usage_rollups_key)::int
           + (SELECT count(*) FROM usage_rollups_call)::int + (SELECT count(*) FROM usage_rollups_failure)::int AS others`,
    );
    return row;
  };
  const insertCalls = (keys: readonly string[], startedAt: Date, model = "'m'") =>
    database.query(
      `INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status, price_version)
       SELECT gen_random_uuid(), $2, 1, 'r', key, $3, 'free', ${model}, false, 'settled', 'v' FROM unnest($1::uuid[]) AS key`,
      [keys, startedAt, USER],
    );

  it('is one for a key that is used once, and one more after the end of the day', async () => {
    await insertCalls(
      Array.from({ length: CALLS }, () => randomUUID()),
      BEGIN,
    );
    await rollups.rollUp();
    expect(await rowsOfKeys()).toEqual({ hours: CALLS, keyDays: 0, callDays: 0, others: 0 });
    expect(await rollups.makeDays(BEGIN)).toBe(false);
    while (await rollups.makeDays(NEXT_DAY));
    expect(await rowsOfKeys()).toEqual({ hours: CALLS, keyDays: CALLS, callDays: 0, others: 0 });
  });

  it('separates the models of a key by day, including late calls', async () => {
    const key = randomUUID();
    await insertCalls([key], BEGIN);
    await insertCalls([key], BEGIN, "'other'");
    await rollups.rollUp();
    expect(await database.query('SELECT model, calls::int FROM usage_call_days ORDER BY model')).toEqual([
      { model: 'm', calls: 1 },
      { model: 'other', calls: 1 },
    ]);
    expect(await database.query('SELECT is_mixed FROM usage_key_days WHERE key_id = $1', [key])).toEqual([
      { is_mixed: true },
    ]);
  });

  it('is the number of days once the hours are old', async () => {
    expect(await rollups.dropOldHours(NEXT_DAY)).toBe(false);
    while (await rollups.dropOldHours(MUCH_LATER));
    expect(await rowsOfKeys()).toMatchObject({ hours: 0, keyDays: CALLS + 1, callDays: 2 });
  });
});
