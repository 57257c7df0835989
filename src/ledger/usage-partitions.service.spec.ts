import { beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import pg from 'pg';
import { eventually } from '../../test/support/eventually.js';
import { closedCall, openCall } from '../../test/support/test-calls.js';
import { createMigratedDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { startServices } from '../../test/support/test-services.js';
import { UsageRollupsService } from '../usage/rollups/usage-rollups.service.js';
import { UsageModule } from '../usage/usage.module.js';
import { UsageReportsService } from '../usage/usage-reports.service.js';
import { partitionOf as partitionOfMonth } from './rows/usage-statements.js';
import { UsageLedgerService } from './usage-ledger.service.js';
import { UsagePartitionsService } from './usage-partitions.service.js';

describe('UsagePartitionsService', () => {
  let database: TestDatabase;
  let services: INestApplicationContext;
  let partitions: UsagePartitionsService;
  let ledger: UsageLedgerService;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    services = await startServices(database.url, UsageModule);
    partitions = services.get(UsagePartitionsService);
    ledger = services.get(UsageLedgerService);
  });

  const names = async () => {
    const rows = await database.query<{ name: string }>(
      "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'usage_calls'::regclass ORDER BY 1",
    );
    return rows.map(({ name }) => name);
  };
  const partitionOf = async (startedAt: string) => {
    const call = openCall({ startedAt: new Date(startedAt) });
    await ledger.close(closedCall(call));
    const [row] = await database.query<{ name: string }>(
      'SELECT tableoid::regclass::text AS name FROM usage_calls WHERE id = $1',
      [call.id],
    );
    return row?.name;
  };

  it('creates the partitions of this month and the next three at start', async () => {
    const now = new Date();
    const monthOf = (date: Date) => `usage_calls_${date.toISOString().slice(0, 7).replace('-', '_')}`;
    const months = [0, 1, 2, 3].map((later) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + later, 1)));
    expect(await names()).toEqual(months.map(monthOf).sort());
    expect(await partitionOf(now.toISOString())).toBe(monthOf(now));
  });

  it('opens calls on few pages, and closes each on its own page, although older pages have room', async () => {
    const startedAt = new Date('2041-05-05T12:00:00Z');
    await partitions.create([startedAt]);
    const [made] = await database.query<{ options: string }>(
      "SELECT array_to_string(reloptions, ', ') AS options FROM pg_class WHERE relname = 'usage_calls_2041_05'",
    );
    // Almost full pages, as before an upgrade.
    await database.query('ALTER TABLE usage_calls_2041_05 SET (fillfactor = 100)');
    await database.query(
      `INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status, price_version)
       SELECT 'old-' || n, $1, 1, repeat('r', 500 + n % 500), gen_random_uuid(), gen_random_uuid(), 'free', 'm', false, 'settled', 'v'
       FROM generate_series(1, 2000) AS n`,
      [startedAt],
    );
    await database.query("DELETE FROM usage_calls WHERE id LIKE 'old-%7'");
    await database.query('VACUUM usage_calls_2041_05');
    await database.query(`ALTER TABLE usage_calls_2041_05 SET (${made?.options})`);
    const pageOf = async (id: string) => {
      const [row] = await database.query<{ page: string }>(
        "SELECT split_part(ctid::text, ',', 1) AS page FROM usage_calls WHERE id = $1",
        [id],
      );
      return row?.page;
    };
    const pages = new Set<string | undefined>();
    let moved = 0;
    for (let calls = 0; calls < 60; calls++) {
      const call = openCall({ startedAt });
      await ledger.open(call);
      const opened = await pageOf(call.id);
      await ledger.close(closedCall(call));
      const closed = await pageOf(call.id);
      if (closed !== opened) moved++;
      pages.add(opened).add(closed);
    }
    expect(moved).toBeLessThan(10);
    expect(pages.size).toBeLessThan(15);
  });

  it('splits at the start of a month in UTC, including the end of a year', async () => {
    await partitions.prepare(new Date('2031-12-31T23:59:59.999Z'));
    expect(await partitionOf('2031-12-01T00:00:00.000Z')).toBe('usage_calls_2031_12');
    expect(await partitionOf('2031-12-31T23:59:59.999Z')).toBe('usage_calls_2031_12');
    expect(await partitionOf('2032-01-01T00:00:00.000Z')).toBe('usage_calls_2032_01');
    expect(await partitionOf('2032-01-31T23:59:59.999Z')).toBe('usage_calls_2032_01');
  });

  it('names the right month on the last days of long months', async () => {
    await partitions.prepare(new Date('2033-01-31T12:00:00Z'));
    expect((await names()).filter((name) => name.includes('2033'))).toEqual(
      ['01', '02', '03', '04'].map((month) => `usage_calls_2033_${month}`),
    );
  });

  it('are created by the first call of a month without one', async () => {
    expect(await partitionOf('2034-05-10T00:00:00Z')).toBe('usage_calls_2034_05');
    const calls = ['2034-07-10', '2034-08-10'].map((day) => openCall({ startedAt: new Date(day) }));
    await Promise.all(calls.map((call) => ledger.open(call)));
    await Promise.all(calls.map((call) => ledger.close(closedCall(call))));
    expect(await names()).toEqual(expect.arrayContaining(['usage_calls_2034_07', 'usage_calls_2034_08']));
    expect(ledger.isWritable).toBe(true);
  });

  it('can be created by several processes at the same time', async () => {
    const now = new Date('2035-03-01T00:00:00Z');
    await Promise.all(Array.from({ length: 5 }, () => partitions.prepare(now)));
    expect(await names()).toEqual(expect.arrayContaining(['usage_calls_2035_03', 'usage_calls_2035_04']));
  });

  it('are created during a backup without blocking calls', async () => {
    const backup = new pg.Client({ connectionString: database.url });
    await backup.connect();
    await backup.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const tables = await database.query<{ name: string }>(
      "SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')",
    );
    await backup.query(`LOCK TABLE ${tables.map(({ name }) => name).join(', ')} IN ACCESS SHARE MODE`);
    await backup.query('SELECT count(*) FROM usage_calls');
    const preparing = partitions.prepare(new Date('2036-01-01T00:00:00Z'));
    await ledger.close(closedCall(openCall()));
    await preparing;
    await ledger.close(closedCall(openCall({ startedAt: new Date('2036-06-01T00:00:00Z') })));
    expect(await names()).toEqual(expect.arrayContaining(['usage_calls_2036_04', 'usage_calls_2036_06']));
    await backup.end();
  });

  it('does not affect calls when a partition is missing', async () => {
    const now = new Date();
    await database.query(`DROP TABLE ${partitionOfMonth(now)}`);
    const call = openCall();
    await ledger.open(call);
    await ledger.close(closedCall(call));
    expect(await database.query('SELECT status FROM usage_calls WHERE id = $1', [call.id])).toEqual([
      { status: 'settled' },
    ]);
    await partitions.prepare(now);
    expect(await partitionOf(now.toISOString())).toBe(partitionOfMonth(now));
  });
});

const FROM = new Date('2026-10-01T00:00:00Z');

describe('a database that moved to another server', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createMigratedDatabase();
  });

  /** Starts a gateway, serves one call, and stops it. `rollsUp`: with or without roll-ups. */
  async function gatewayRuns(rollsUp: boolean) {
    const services = await startServices(database.url, UsageModule);
    await services.get(UsageLedgerService).close(closedCall(openCall({ startedAt: FROM })));
    if (rollsUp) expect(await eventually(() => services.get(UsageRollupsService).rollUp())).toBe(true);
    const to = new Date(FROM.getTime() + 3_600_000);
    const question = { from: FROM, to, zone: 'UTC', granularity: 'hour', groupBy: null, compare: false } as const;
    const { totals } = await services.get(UsageReportsService).report(question);
    await services.close();
    return totals.requests;
  }

  it('loses no call and counts no call twice, although transaction numbers restart', async () => {
    expect(await gatewayRuns(true)).toBe(1);
    expect(await gatewayRuns(false)).toBe(2);
    await moveToServerWithFewerTransactions();
    expect(await gatewayRuns(false)).toBe(3);
    expect(await gatewayRuns(true)).toBe(4);
    expect(await gatewayRuns(true)).toBe(5);
  });

  /** As in a restored dump: the ledger's numbers are far ahead of this server's. */
  async function moveToServerWithFewerTransactions(): Promise<void> {
    await database.query('UPDATE usage_calls SET changed_in = changed_in + 1000000');
    await database.query('UPDATE usage_rollup_state SET rolled_up_to = rolled_up_to + 1000000, server = server - 1');
  }
});
