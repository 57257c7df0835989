import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import pg from 'pg';
import { eventually } from '../../test/support/eventually.js';
import { LostTime } from '../../test/support/lost-time.js';
import { closedCall, openCall } from '../../test/support/test-calls.js';
import { createMigratedDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { balance, money, requestOf, USD } from '../../test/support/test-limits.js';
import { startServices } from '../../test/support/test-services.js';
import { MetricsService } from '../telemetry/metrics.service.js';
import { UsageModule } from '../usage/usage.module.js';
import { LedgerVerificationModule } from './ledger-verification.module.js';
import { LedgerVerificationService } from './ledger-verification.service.js';
import { UsageLedgerService } from './usage-ledger.service.js';

const OTHERS = 12;
const REFUSED = { status: 'rejected', reason: { status: 503 } };

describe('a caller whose calls cannot be opened in time', () => {
  let database: TestDatabase;
  let services: INestApplicationContext;
  let ledger: UsageLedgerService;
  let locker: pg.Client;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    services = await startServices(database.url, UsageModule, LedgerVerificationModule);
    ledger = services.get(UsageLedgerService);
    await warmUp();
  }, 60_000);
  beforeEach(async () => {
    locker = new pg.Client({ connectionString: database.url });
    await locker.connect();
    await locker.query('BEGIN');
  });
  afterEach(() => locker.end());

  const callOf = (userId: string) => {
    const user = balance(userId, { budgetTotalNanodollars: USD, concurrentCalls: 1000 });
    return openCall({ userId, admissionRequest: requestOf([user], { money: money(1000n) }) });
  };
  const serve = async (userId: string) => {
    const call = callOf(userId);
    const beganAt = performance.now();
    expect(await ledger.open(call)).toMatchObject({ isAdmitted: true });
    const ms = performance.now() - beganAt;
    await ledger.close(closedCall(call, { costNanodollars: 700n }));
    return ms;
  };
  const serveUntil = async (userId: string, isOver: () => boolean) => {
    const times: number[] = [];
    while (!isOver()) times.push(await serve(userId));
    return times;
  };
  /** Warms up the connections, as first statements are slow on a busy machine. */
  const warmUp = async () => {
    const users = Array.from({ length: OTHERS }, () => randomUUID());
    for (const userId of users) await serve(userId);
    const table = new pg.Client({ connectionString: database.url });
    await table.connect();
    await table.query('BEGIN; LOCK TABLE usage_calls IN ACCESS EXCLUSIVE MODE');
    const opened = Promise.allSettled(users.map(serve));
    await sleep(700);
    await table.end();
    await opened;
    await eventually(() => ledger.slowCallers === 0, 10_000);
  };
  const lock = (userId: string) => locker.query('SELECT FROM limit_balances WHERE id = $1 FOR UPDATE', [userId]);
  const metricsOf = async (name: string) => {
    const metric = await services.get(MetricsService).registry.getSingleMetric(name)?.get();
    return (metric?.values ?? []).reduce((sum, { value }) => sum + value, 0);
  };
  const expectNothingReserved = async () => {
    // A statement that waited for a lock may still open its row, which is then deleted.
    await eventually(async () => {
      const open = await database.query("SELECT FROM usage_calls WHERE status = 'open'");
      const reserved = await database.query('SELECT FROM limit_balances WHERE running <> 0 OR reserved_total <> 0');
      return open.length + reserved.length === 0;
    });
    expect((await services.get(LedgerVerificationService).verify()).faults).toEqual([]);
  };

  it('is refused alone, and served again once possible', async () => {
    const culprit = randomUUID();
    const others = Array.from({ length: OTHERS }, () => randomUUID());
    for (const userId of [culprit, ...others]) await serve(userId);
    await lock(culprit);
    const lost = new LostTime();
    let isOver = false;
    const served = others.map((userId) => serveUntil(userId, () => isOver));
    const refused: PromiseSettledResult<unknown>[] = [];
    for (const beganAt = performance.now(); performance.now() - beganAt < 4000; ) {
      refused.push(...(await Promise.allSettled([1, 2, 3].map(() => ledger.open(callOf(culprit))))));
      expect(ledger.isWritable).toBe(true);
      expect(ledger.slowCallers).toBe(1);
    }
    isOver = true;
    const times = (await Promise.all(served)).flat().sort((a, b) => a - b);
    const lostMs = lost.stop();
    for (const result of refused) expect(result).toMatchObject(REFUSED);
    expect(times.at(-1)).toBeLessThan(1500 + lostMs);
    expect(times[times.length >> 1]).toBeLessThan(100 + lostMs);
    expect(times.length).toBeGreaterThan(5 * OTHERS);
    expect(await metricsOf('gateway_ledger_timeouts_total')).toBeGreaterThan(2);
    expect(await metricsOf('gateway_ledger_rows_apart_total')).toBeGreaterThan(2);
    await locker.query('COMMIT');
    await serve(culprit);
    await eventually(() => ledger.slowCallers === 0, 10_000);
    await serve(culprit);
    await expectNothingReserved();
  }, 60_000);

  it('is served with its own statements and a longer timeout, without delaying others', async () => {
    const [culprit, other] = [randomUUID(), randomUUID()];
    for (const userId of [culprit, other]) await serve(userId);
    await database.query(`
      CREATE FUNCTION slow_for_one() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_sleep(0.6);
        RETURN NEW;
      END $$`);
    await database.query(
      `CREATE TRIGGER slow_for_one BEFORE INSERT ON usage_calls FOR EACH ROW
       WHEN (NEW.user_id = '${culprit}' AND NEW.status = 'open') EXECUTE FUNCTION slow_for_one()`,
    );
    const lost = new LostTime();
    let isOver = false;
    const served = serveUntil(other, () => isOver);
    const times: number[] = [];
    for (let calls = 0; calls < 3; calls++) times.push(await serve(culprit));
    isOver = true;
    const lostMs = lost.stop();
    expect(times.at(-1)).toBeLessThan(1200 + lostMs);
    expect(Math.max(...(await served))).toBeLessThan(1000 + lostMs);
    await database.query('DROP TRIGGER slow_for_one ON usage_calls; DROP FUNCTION slow_for_one');
    await expectNothingReserved();
  }, 60_000);

  it('does not delay others longer if there are several such callers', async () => {
    const culprits = Array.from({ length: 8 }, () => randomUUID());
    const others = Array.from({ length: OTHERS }, () => randomUUID());
    for (const userId of [...culprits, ...others]) await serve(userId);
    for (const culprit of culprits) await lock(culprit);
    const lost = new LostTime();
    let isOver = false;
    const refused = culprits.map((culprit) => Promise.allSettled([ledger.open(callOf(culprit))]));
    // Only from the second round on do they share statements with slow callers.
    await sleep(20);
    const served = others.map((userId) => serveUntil(userId, () => isOver));
    for (const [result] of await Promise.all(refused)) expect(result).toMatchObject(REFUSED);
    await sleep(1000);
    isOver = true;
    const times = (await Promise.all(served)).flat();
    expect(Math.max(...times)).toBeLessThan(1500 + lost.stop());
    await locker.query('COMMIT');
    await expectNothingReserved();
  }, 60_000);

  it('is distinguished from a database that is slow for all: then all calls fail, with few statements', async () => {
    const users = Array.from({ length: OTHERS }, () => randomUUID());
    for (const userId of users) await serve(userId);
    await locker.query('LOCK TABLE usage_calls IN ACCESS EXCLUSIVE MODE');
    const beganAt = performance.now();
    const lost = new LostTime();
    const results = Promise.allSettled(users.map((userId) => ledger.open(callOf(userId))));
    await sleep(1200);
    const [{ statements } = { statements: 0 }] = await database.query<{ statements: number }>(
      "SELECT count(*)::int AS statements FROM pg_stat_activity WHERE application_name LIKE 'gateway open%' AND state = 'active' AND datname = current_database()",
    );
    expect(statements).toBeLessThanOrEqual(5);
    for (const result of await results) expect(result).toMatchObject(REFUSED);
    expect(performance.now() - beganAt).toBeLessThan(2500 + lost.stop());
    await eventually(() => !ledger.isWritable);
    await locker.query('COMMIT');
    await Promise.all(users.map(serve));
    await eventually(() => ledger.isWritable);
    await expectNothingReserved();
  }, 60_000);

  it('is distinguished from a database that was slow for a second: then all calls are served', async () => {
    const users = Array.from({ length: 2 * OTHERS }, () => randomUUID());
    for (const userId of users) await serve(userId);
    await locker.query('LOCK TABLE usage_calls IN ACCESS EXCLUSIVE MODE');
    const served = Promise.all(users.map(serve));
    await sleep(1000);
    await locker.query('COMMIT');
    await served;
    await expectNothingReserved();
  }, 60_000);
});
