import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import pg from 'pg';
import { eventually } from '../../test/support/eventually.js';
import { closedCall, openCall } from '../../test/support/test-calls.js';
import { createMigratedDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { startServices } from '../../test/support/test-services.js';
import { SETTINGS, type Settings } from '../config/settings.js';
import { ClockService } from '../database/clock.service.js';
import { LedgerVerificationModule } from '../ledger/ledger-verification.module.js';
import { LedgerVerificationService } from '../ledger/ledger-verification.service.js';
import { UsageLedgerService } from '../ledger/usage-ledger.service.js';
import { UsagePartitionsService } from '../ledger/usage-partitions.service.js';
import { UsageModule } from './usage.module.js';
import { UsageReportsService } from './usage-reports.service.js';
import { UsageRetentionService } from './usage-retention.service.js';

/** 400 days, the retention of the shipped configuration, after the end of March 2024. */
const MARCH_IS_OLD = new Date('2025-05-06T00:00:00Z');

/** March 2024 and the twelve months after it. */
const MONTHS = Array.from({ length: 13 }, (_, index) => new Date(Date.UTC(2024, 2 + index)).toISOString().slice(0, 7));

describe('a retention of one day', () => {
  const TODAY = new Date('2026-03-10T09:00:00Z');
  let database: TestDatabase;
  let services: INestApplicationContext;
  beforeAll(async () => {
    database = await createMigratedDatabase();
    services = await startServices(database.url, UsageModule, LedgerVerificationModule);
    Object.assign(services.get<Settings>(SETTINGS), { usage: { retention: 86_400_000 } });
    const ledger = services.get(UsageLedgerService);
    const days = ['2025-12-31', '2026-02-27', '2026-03-01', '2026-03-08', '2026-03-09', '2026-03-10'];
    for (const day of days) {
      await services.get(UsagePartitionsService).prepare(new Date(`${day}T00:00:00Z`));
      for (const hour of ['00', '08', '23']) {
        await ledger.close(closedCall(openCall({ startedAt: new Date(`${day}T${hour}:30:00Z`) })));
      }
    }
    await ledger.open(openCall({ startedAt: new Date('2026-03-08T12:00:00Z') }));
  });

  const days = async () => {
    const rows = await database.query<{ day: string; status: string }>(
      `SELECT DISTINCT to_char(started_at AT TIME ZONE 'UTC', 'MM-DD') AS day FROM usage_calls WHERE status <> 'open' ORDER BY 1`,
    );
    return rows.map(({ day }) => day);
  };
  const enforce = async () => {
    await database.query("UPDATE usage_rollup_state SET dropped_at = dropped_at - interval '1 hour'");
    await services.get(UsageRetentionService).enforce(TODAY);
  };

  it('drops months and then deletes days, one an hour, down to the day in which it ends; sums stay', async () => {
    for (const left of [
      ['02-27', '03-01', '03-08', '03-09', '03-10'],
      // January, which is empty.
      ['02-27', '03-01', '03-08', '03-09', '03-10'],
      ['03-01', '03-08', '03-09', '03-10'],
      ['03-08', '03-09', '03-10'],
      ['03-09', '03-10'],
      ['03-09', '03-10'],
    ]) {
      await enforce();
      expect(await days()).toEqual(left);
    }
    expect(await database.query("SELECT count(*)::int AS open FROM usage_calls WHERE status = 'open'")).toEqual([
      { open: 1 },
    ]);
    const { totals } = await services.get(UsageReportsService).report({
      from: new Date('2025-12-01T00:00:00Z'),
      to: new Date('2026-03-11T00:00:00Z'),
      zone: 'UTC',
      granularity: 'day',
      groupBy: 'model',
      compare: false,
    });
    expect(totals).toMatchObject({ requests: 19, costNanodollars: 18n * 1234n });
  });

  it('leaves a ledger that its verification accepts', async () => {
    const spent = (
      day: string,
    ) => `INSERT INTO limit_balances (id, kind, at, day, month, spent_day, spent_month, spent_total)
      VALUES (gen_random_uuid(), 'user', now(), '${day}', '2026-03-01', 0, 5, 5)`;
    await database.query(spent('2026-03-10'));
    const verify = () => services.get(LedgerVerificationService).verify();
    expect(await verify()).toMatchObject({ faults: [] });
    await database.query("UPDATE usage_rollup_state SET rows_from = '2026-02-28'");
    expect(await verify()).toMatchObject({ faults: [expect.stringContaining('spent (month) is 5')] });
  });
});

describe('UsageRetentionService', () => {
  let database: TestDatabase;
  let services: INestApplicationContext;
  let ledger: UsageLedgerService;
  let retention: UsageRetentionService;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    services = await startServices(database.url, UsageModule);
    ledger = services.get(UsageLedgerService);
    retention = services.get(UsageRetentionService);
    for (const month of MONTHS) await services.get(UsagePartitionsService).prepare(new Date(`${month}-15T00:00:00Z`));
    for (const month of MONTHS.slice(2)) {
      await ledger.close(closedCall(openCall({ startedAt: new Date(`${month}-15T12:00:00Z`) })));
    }
    for (const day of ['2023-05-01', '2024-03-01', '2024-03-31', '2024-04-01']) {
      await ledger.close(closedCall(openCall({ startedAt: new Date(`${day}T12:00:00Z`) })));
    }
  });

  const months = async () => {
    const rows = await database.query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'usage_calls'::regclass`,
    );
    return rows.map(({ name }) => name);
  };
  const days = async () => {
    const rows = await database.query<{ day: string }>(
      `SELECT to_char(started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day FROM usage_calls ORDER BY 1`,
    );
    return rows.map(({ day }) => day);
  };

  const hourLater = () => database.query("UPDATE usage_rollup_state SET dropped_at = dropped_at - interval '1 hour'");

  it('keeps a month until its last call is too old', async () => {
    await retention.enforce(new Date('2025-05-05T23:00:00Z'));
    expect((await days()).slice(0, 3)).toEqual(['2024-03-01', '2024-03-31', '2024-04-01']);
    expect(await months()).toContain('usage_calls_2024_03');
  });

  it('keeps a month with a call in progress', async () => {
    await hourLater();
    const call = openCall({ startedAt: new Date('2024-03-20T12:00:00Z') });
    await ledger.open(call);
    await retention.enforce(MARCH_IS_OLD);
    expect(await months()).toContain('usage_calls_2024_03');
    await ledger.close(closedCall(call));
  });

  it('blocks no call while a query reads the month to be dropped', async () => {
    const reader = new pg.Client({ connectionString: database.url });
    await reader.connect();
    await reader.query('BEGIN; SELECT count(*) FROM usage_calls');
    const enforced = retention.enforce(MARCH_IS_OLD);
    for (let call = 0; call < 20; call++) {
      const from = performance.now();
      await ledger.close(closedCall(openCall()));
      // A call that waits for the reader fails after ten seconds.
      expect(performance.now() - from).toBeLessThan(5000);
    }
    expect(await months()).toContain('usage_calls_2024_03');
    await reader.end();
    await enforced;
  });

  it('drops a month together with other data of the same age, and keeps its sums', async () => {
    await hourLater();
    await database.query(
      `INSERT INTO refused_calls (hour, status, code, calls) VALUES ('2024-03-31T23:00Z', 401, 'c', 1), ('2024-04-02T00:00Z', 401, 'c', 1)`,
    );
    await retention.enforce(MARCH_IS_OLD);
    expect(await months()).not.toContain('usage_calls_2024_03');
    expect(await months()).toEqual(expect.arrayContaining(['usage_calls_2024_04']));
    expect((await days())[0]).toBe('2024-04-01');
    expect(await database.query('SELECT hour FROM refused_calls')).toEqual([
      { hour: new Date('2024-04-02T00:00:00Z') },
    ]);
    const { totals } = await services.get(UsageReportsService).report({
      from: new Date('2023-01-01T00:00:00Z'),
      to: new Date('2024-04-01T00:00:00Z'),
      zone: 'Europe/Berlin',
      granularity: 'day',
      groupBy: 'model',
      compare: false,
    });
    expect(totals).toMatchObject({ requests: 4, costNanodollars: 4n * 1234n });
  });

  describe('with a wrong clock', () => {
    const CENTURY_AHEAD = new Date('2126-01-01T00:00:00Z');

    it('drops at most one month per hour', async () => {
      const before = await months();
      await retention.enforce(CENTURY_AHEAD);
      expect(await months()).toEqual(before);
      await hourLater();
      await retention.enforce(CENTURY_AHEAD);
      await retention.enforce(CENTURY_AHEAD);
      expect(await months()).toEqual(before.filter((name) => name !== 'usage_calls_2024_04'));
    });

    it('keeps the newest twelve months with calls', async () => {
      const withCalls = async () => (await days()).map((day) => day.slice(0, 7));
      const stored = [...new Set(await withCalls())];
      expect(stored).toHaveLength(12);
      for (let hour = 0; hour < 3; hour++) {
        await hourLater();
        await retention.enforce(CENTURY_AHEAD);
      }
      expect([...new Set(await withCalls())]).toEqual(stored);
    });

    it('drops nothing while the clocks of the gateway and the database differ', async () => {
      const realNow = Date.now.bind(Date);
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => realNow() + 500 * 86_400_000);
      try {
        await eventually(() => services.get(ClockService).isUnreliable);
        await services.get(UsagePartitionsService).prepare(new Date('2022-01-01T00:00:00Z'));
        await hourLater();
        await retention.enforce(CENTURY_AHEAD);
        expect(await months()).toContain('usage_calls_2022_01');
      } finally {
        clock.mockRestore();
      }
      await eventually(() => !services.get(ClockService).isUnreliable);
      await retention.enforce(CENTURY_AHEAD);
      expect(await months()).not.toContain('usage_calls_2022_01');
    });
  });
});
