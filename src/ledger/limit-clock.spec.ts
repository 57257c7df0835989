import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { eventually } from '../../test/support/eventually.js';
import { closedCall, openCall } from '../../test/support/test-calls.js';
import { createMigratedDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { balance, money, requestOf } from '../../test/support/test-limits.js';
import { startServices } from '../../test/support/test-services.js';
import { definitionOf } from '../database/schema/sql-functions.js';
import { UsageModule } from '../usage/usage.module.js';
import type { OpenCall } from './call-record.types.js';
import { LedgerVerificationModule } from './ledger-verification.module.js';
import { LedgerVerificationService } from './ledger-verification.service.js';
import { UsageLedgerService } from './usage-ledger.service.js';

const DAY_MS = 86_400_000;

describe('a balance with a date in the future, from a clock that was ahead', () => {
  let database: TestDatabase;
  let services: INestApplicationContext;
  let ledger: UsageLedgerService;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    services = await startServices(database.url, UsageModule);
    ledger = services.get(UsageLedgerService);
  });

  const sumsOf = async (id: string) => {
    const [row] = await database.query('SELECT * FROM limit_balances WHERE id = $1', [id]);
    return { spent: BigInt(row?.spent_month), reserved: BigInt(row?.reserved_month) };
  };
  const ahead = (id: string, time: string) =>
    database.query(
      `UPDATE limit_balances SET at = now() + $2::interval, day = ((now() + $2::interval) AT TIME ZONE 'UTC')::date,
         month = date_trunc('month', (now() + $2::interval) AT TIME ZONE 'UTC'), spent_day = 0, spent_month = 0, base_day = 0,
         base_month = 0, reserved_day = 0, reserved_month = 0
       WHERE id = $1`,
      [id, time],
    );
  const atOf = async (id: string) => {
    const [row] = await database.query(
      "SELECT at < now() + interval '5 s' AS is_present FROM limit_balances WHERE id = $1",
      [id],
    );
    return row?.is_present;
  };

  it('refills its buckets from now on', async () => {
    const user = balance(randomUUID(), { requestsPerMinute: 600 });
    const open = () => ledger.open(openCall({ admissionRequest: requestOf([user]) }));
    await open();
    await database.query(
      "UPDATE limit_balances SET at = now() + interval '1 hour', requests_used = 600 WHERE id = $1",
      [user.id],
    );
    expect(await open()).toMatchObject({ isAdmitted: false });
    expect(await atOf(user.id)).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(await open()).toMatchObject({ isAdmitted: true });
  });

  it.each(['2 days', '40 days'])('counts the budgets of the current day and month, %s before', async (time) => {
    const userId = randomUUID();
    const before = openCall({ userId });
    await ledger.open(before);
    await ledger.close(closedCall(before, { costNanodollars: 100n }));
    const user = balance(userId, { budgetDayNanodollars: 1000n, budgetMonthNanodollars: 1000n });
    const open = (full: bigint) =>
      openCall({ userId, admissionRequest: requestOf([user], { money: money(full, 100) }) });
    const [closed, running] = [open(300n), open(400n)];
    for (const call of [closed, running]) expect(await ledger.open(call)).toMatchObject({ isAdmitted: true });
    await ledger.close(closedCall(closed, { costNanodollars: 300n }));
    await ahead(user.id, time);
    expect(await ledger.open(open(201n))).toMatchObject({ isAdmitted: false });
    expect(await sumsOf(user.id)).toMatchObject({ spent: 400n, reserved: 400n });
    await ahead(user.id, time);
    await ledger.close(closedCall(running, { costNanodollars: 350n }));
    expect(await ledger.open(open(251n))).toMatchObject({ isAdmitted: false });
    expect(await sumsOf(user.id)).toMatchObject({ spent: 750n, reserved: 0n });
    expect(await ledger.open(open(250n))).toMatchObject({ isAdmitted: true });
    expect(await atOf(user.id)).toBe(true);
  });

  it('is corrected in the background if that takes longer than a call can wait', async () => {
    const user = balance(randomUUID(), { budgetDayNanodollars: 1000n });
    const open = (full: bigint) =>
      ledger.open(openCall({ admissionRequest: requestOf([user], { money: money(full, 100) }) }));
    await open(400n);
    await ahead(user.id, '2 days');
    // Simulates the time that very many calls would take.
    await database.query('ALTER FUNCTION limit_present RENAME TO limit_quickly_present');
    await database.query(`
      CREATE FUNCTION limit_present(ids uuid[], instant timestamptz) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_sleep(0.7);
        PERFORM limit_quickly_present(ids, instant);
      END $$`);
    await eventually(() => open(0n).catch(() => false), 20_000);
    expect(await sumsOf(user.id)).toMatchObject({ spent: 0n, reserved: 400n });
    expect(await open(601n)).toMatchObject({ isAdmitted: false });
  }, 30_000);
});

describe("a budget when the database's clock steps back over midnight and returns", () => {
  const MINUTE_MS = 60_000;
  const midnight = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
  let database: TestDatabase;
  let services: INestApplicationContext;
  let ledger: UsageLedgerService;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    services = await startServices(database.url, UsageModule, LedgerVerificationModule);
    ledger = services.get(UsageLedgerService);
    await database.query('CREATE TABLE test_clock (at timestamptz)');
    await database.query(definitionOf('limit_now').replace('clock_timestamp()', '(SELECT at FROM test_clock)'));
  });

  let now = 0;
  const setClock = async (minutes: number) => {
    now = midnight + minutes * MINUTE_MS;
    await database.query('DELETE FROM test_clock');
    await database.query('INSERT INTO test_clock VALUES ($1)', [new Date(now)]);
  };
  const opened = async (user: ReturnType<typeof balance>, full: bigint) => {
    const admissionRequest = requestOf([user], { money: money(full, 100) });
    const call = openCall({ userId: user.id, startedAt: new Date(now), admissionRequest });
    return { call, admission: await ledger.open(call) };
  };
  const close = ({ call }: { call: OpenCall }, costNanodollars: bigint) =>
    ledger.close(closedCall(call, { costNanodollars }));

  it.each([
    ['a new call', async () => undefined],
    [
      'the end of calls of both days',
      async (today: { call: OpenCall }, earlier: { call: OpenCall }) => {
        await Promise.all([close(today, 200n), close(earlier, 10n)]);
      },
    ],
  ])('holds, first met again by %s', async (_, meetAgain) => {
    await setClock(1);
    const user = balance(randomUUID(), { budgetDayNanodollars: 1000n });
    await close(await opened(user, 300n), 300n);
    const running = await opened(user, 200n);
    await setClock(-1);
    const earlier = await opened(user, 900n);
    expect(earlier.admission).toMatchObject({ isAdmitted: true });
    await setClock(2);
    await meetAgain(running, earlier);
    expect((await opened(user, 501n)).admission).toMatchObject({ isAdmitted: false });
    expect((await opened(user, 500n)).admission).toMatchObject({ isAdmitted: true });
    expect((await services.get(LedgerVerificationService).verify()).faults).toEqual([]);
    await setClock(24 * 60 + 1);
    expect((await opened(user, 1000n)).admission).toMatchObject({ isAdmitted: true });
  });
});
