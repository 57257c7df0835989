import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { closedCall, openCall } from '../../test/support/test-calls.js';
import { createMigratedDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { startServices } from '../../test/support/test-services.js';
import { UsageLedgerService } from '../ledger/usage-ledger.service.js';
import { RecentErrorsService } from './recent-errors.service.js';
import { UsageRollupsService } from './rollups/usage-rollups.service.js';
import { UsageModule } from './usage.module.js';
import { UsageTotalsService } from './usage-totals.service.js';

const MINUTE_MS = 60_000;
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS);

describe('the usage of keys and users', () => {
  const [alice, bob, carol] = [randomUUID(), randomUUID(), randomUUID()];
  const [laptop, server, robot, clock] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const hour = Math.floor(Date.now() / (60 * MINUTE_MS) - 3) * 60 * MINUTE_MS;
  const inHour = (minutes: number) => new Date(hour + minutes * MINUTE_MS);
  let database: TestDatabase;
  let services: INestApplicationContext;
  let totals: UsageTotalsService;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    services = await startServices(database.url, UsageModule);
    totals = services.get(UsageTotalsService);
    const ledger = services.get(UsageLedgerService);
    for (const [keyId, userId, startedAt, status] of [
      [laptop, alice, ago(200), 'failed'],
      [laptop, alice, ago(100), 'settled'],
      [laptop, alice, ago(50), 'settled'],
      [server, alice, ago(40), 'settled'],
      [robot, bob, ago(30), 'failed'],
      [clock, carol, inHour(5), 'settled'],
      [clock, carol, inHour(20), 'settled'],
      [clock, carol, inHour(50), 'settled'],
    ] as const) {
      const errorCode = status === 'failed' ? 'upstream_error' : null;
      await ledger.close(closedCall(openCall({ keyId, userId, startedAt }), { status, errorCode }));
    }
    await services.get(UsageRollupsService).rollUp();
    await ledger.close(closedCall(openCall({ keyId: laptop, userId: alice, startedAt: ago(20) })));
    await ledger.open(openCall({ keyId: laptop, userId: alice, startedAt: ago(1) }));
  });

  it('is added up by key, to the minute, including calls in progress', async () => {
    expect(await totals.byKey([laptop, robot], ago(101))).toEqual(
      new Map([
        [laptop, { calls: 4, costNanodollars: 3n * 1234n }],
        [robot, { calls: 1, costNanodollars: 1234n }],
      ]),
    );
    expect(await totals.callsOfKey(laptop, ago(99))).toBe(3);
    expect(await totals.callsOfKey(laptop, ago(10))).toBe(1);
    expect(await totals.callsOfKey(robot, ago(10))).toBe(0);
    expect(await totals.byKey([], ago(1000))).toEqual(new Map());
  });

  it('is added up from any minute of an hour, by key', async () => {
    const [keyId, hour] = [randomUUID(), new Date('2026-05-04T10:00:00Z').getTime()];
    for (const minute of [1, 18, 33, 48]) {
      const startedAt = new Date(hour + minute * MINUTE_MS);
      await services.get(UsageLedgerService).close(closedCall(openCall({ keyId, userId: alice, startedAt })));
    }
    await services.get(UsageRollupsService).rollUp();
    const counts = [];
    for (const minute of [0, 2, 10, 17, 20, 31, 35, 46, 50]) {
      counts.push(await totals.callsOfKey(keyId, new Date(hour + minute * MINUTE_MS)));
    }
    expect(counts).toEqual([4, 3, 3, 3, 2, 2, 1, 1, 0]);
    await database.query('DELETE FROM usage_calls WHERE key_id = $1', [keyId]);
    await database.query('DELETE FROM usage_hours WHERE key_id = $1', [keyId]);
  });

  it('is added up by user', async () => {
    expect(await totals.byUser([alice, bob, randomUUID()], ago(1000))).toEqual(
      new Map([
        [alice, { calls: 6, costNanodollars: 5n * 1234n }],
        [bob, { calls: 1, costNanodollars: 1234n }],
      ]),
    );
  });

  it('is added up from any minute of an hour', async () => {
    for (const [minute, calls] of [
      [0, 3],
      [3, 3],
      [10, 2],
      [15, 2],
      [30, 1],
      [40, 1],
      [55, 0],
    ] as const) {
      expect([minute, await totals.callsOfKey(clock, inHour(minute))]).toEqual([minute, calls]);
    }
  });

  it('is added up in the hour after an upgrade, before the new sums start', async () => {
    const nextHour = 4 * Math.floor(Date.now() / (60 * MINUTE_MS) + 1);
    const set = (slot: string) => database.query(`UPDATE usage_rollup_state SET hours_begin = ${slot}`);
    await set(`hours_begin + ${nextHour}`);
    await database.query("INSERT INTO usage_groups (id, kind, user_id, key_id) VALUES (-1, 'key', $1, $2)", [
      alice,
      laptop,
    ]);
    try {
      await expect(totals.byKey([laptop], ago(120))).resolves.toBeInstanceOf(Map);
      await expect(totals.byUser([alice], ago(120))).resolves.toBeInstanceOf(Map);
    } finally {
      await set(`hours_begin - ${nextHour}`);
      await database.query('DELETE FROM usage_groups WHERE id = -1');
    }
  });

  it('includes the first successful call', async () => {
    const first = await totals.firstSuccessOf(alice);
    expect(Math.abs(Number(first?.at) - ago(100).getTime())).toBeLessThan(MINUTE_MS);
    expect(await totals.firstSuccessOf(bob)).toBeNull();
    const rollups = services.get(UsageRollupsService);
    while (await rollups.makeDays(new Date(Date.now() + 1440 * MINUTE_MS)));
    expect(await totals.firstSuccessOf(alice)).toEqual(first);
    expect(await totals.firstSuccessOf(bob)).toBeNull();
  });

  it('includes a first successful call that is older than the hourly sums', async () => {
    const first = await totals.firstSuccessOf(alice);
    expect(await database.query('DELETE FROM usage_key_days RETURNING slot')).not.toHaveLength(0);
    await database.query('UPDATE usage_rollup_state SET hours_begin = days_up_to');
    await database.query("INSERT INTO usage_groups (id, kind, user_id) VALUES (-1, 'key', $1)", [alice]);
    expect(await totals.firstSuccessOf(alice)).toEqual(first);
    expect(await totals.firstSuccessOf(bob)).toBeNull();
  });

  it('lists refused requests and failed calls together, newest first, of one user or all', async () => {
    await database.query(
      `INSERT INTO recent_errors (at, request_id, key_id, user_id, model, status, code)
       VALUES (now() - interval '35 minutes', 'req_refused', $1, $2, NULL, 404, 'model_not_found')`,
      [laptop, alice],
    );
    const errors = services.get(RecentErrorsService);
    const codes = async (userId: string | null, limit = 10) =>
      (await errors.list({ users: userId === null ? null : [userId], limit })).map(
        ({ code, status }) => `${status} ${code}`,
      );
    expect(await codes(null)).toEqual(['null upstream_error', '404 model_not_found', 'null upstream_error']);
    expect(await codes(null, 2)).toHaveLength(2);
    expect(await codes(alice)).toEqual(['404 model_not_found', 'null upstream_error']);
    expect(await codes(bob)).toEqual(['null upstream_error']);
  });
});
