import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import pg from 'pg';
import { eventually } from '../../test/support/eventually.js';
import { closedCall, openCall } from '../../test/support/test-calls.js';
import { createMigratedDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { balance, money, requestOf, USD } from '../../test/support/test-limits.js';
import { startServices } from '../../test/support/test-services.js';
import { UsageModule } from '../usage/usage.module.js';
import type { Admission, OpenCall } from './call-record.types.js';
import { InstanceService } from './instance.service.js';
import { OpeningFormat } from './rows/row.formats.js';
import { LedgerSchema } from './rows/usage-statements.js';
import { UsageLedgerService } from './usage-ledger.service.js';

const REPLICAS = 4;

describe('limited calls in the ledger', () => {
  let database: TestDatabase;
  let replicas: INestApplicationContext[];
  let ledgers: UsageLedgerService[];

  beforeAll(async () => {
    database = await createMigratedDatabase();
    replicas = [];
    for (let count = 0; count < REPLICAS; count++) replicas.push(await startServices(database.url, UsageModule));
    ledgers = replicas.map((replica) => replica.get(UsageLedgerService));
  });

  const ledgerAt = (index: number): UsageLedgerService => ledgers[index % REPLICAS] as UsageLedgerService;
  const balanceOf = async (id: string) => {
    const [row] = await database.query('SELECT * FROM limit_balances WHERE id = $1', [id]);
    return {
      running: row?.running,
      spent: BigInt(row?.spent_month),
      reserved: BigInt(row?.reserved_month),
      tokens: row?.tokens_used,
      requests: row?.requests_used,
    };
  };
  const rowOf = async (id: string) => (await database.query('SELECT * FROM usage_calls WHERE id = $1', [id]))[0];

  it('admits as many of six hundred concurrent calls as a budget pays for, across all replicas', async () => {
    const [user, key] = [randomUUID(), randomUUID()];
    const month = balance(user, { budgetMonthNanodollars: 100n * 1000n });
    const other = balance(key, { requestsPerMinute: 1_000_000, budgetTotalNanodollars: USD }, 'key');
    const calls = Array.from({ length: 600 }, (_, index) =>
      openCall({
        userId: user,
        admissionRequest: requestOf(index % 2 ? [month, other] : [other, month], { money: money(1000n) }),
      }),
    );
    const admissions = await Promise.all(calls.map((call, index) => ledgerAt(index).open(call)));
    expect(admissions.filter((admission) => admission?.isAdmitted)).toHaveLength(100);
    expect(await balanceOf(user)).toMatchObject({ running: 100, spent: 0n, reserved: 100_000n });
    expect(await balanceOf(key)).toMatchObject({ running: 100, reserved: 100_000n });
    expect(await database.query('SELECT 1 FROM usage_calls WHERE user_id = $1', [user])).toHaveLength(100);
    const admitted = calls.filter((_, index) => admissions[index]?.isAdmitted);
    await Promise.all(
      admitted.map((call, index) => ledgerAt(index).close(closedCall(call, { costNanodollars: 600n }))),
    );
    expect(await balanceOf(user)).toMatchObject({ running: 0, spent: 60_000n, reserved: 0n });
  });

  it('lowers the ceiling of an answer to an eighth of the budget, but not below 256 tokens', async () => {
    const user = balance(randomUUID(), { budgetTotalNanodollars: 80_000n });
    const open = () =>
      ledgerAt(0).open(openCall({ admissionRequest: requestOf([user], { money: money(100_000n, 100_000, false) }) }));
    expect(await open()).toMatchObject({ isAdmitted: true, outputCeiling: 10_000, reserved: 10_000n });
    expect(await open()).toMatchObject({ isAdmitted: true, outputCeiling: 8750, reserved: 8750n });
    let admission = await open();
    const ceilings: number[] = [];
    for (; admission?.isAdmitted; admission = await open()) ceilings.push(admission.outputCeiling ?? 0);
    expect(ceilings.at(-1)).toBe(256);
    expect(ceilings.reduce((sum, ceiling) => sum + ceiling, 18_750)).toBeGreaterThan(80_000 - 256);
  });

  it("keeps a caller's ceiling that fits, and sets none when the budget covers eight full answers", async () => {
    const user = balance(randomUUID(), { budgetTotalNanodollars: 100_000n });
    const open = (own: boolean, full: bigint) =>
      ledgerAt(0).open(openCall({ admissionRequest: requestOf([user], { money: money(full, 1000, own) }) }));
    expect(await open(true, 50_000n)).toMatchObject({ isAdmitted: true, outputCeiling: null, reserved: 50_000n });
    expect(await open(false, 6_000n)).toMatchObject({ isAdmitted: true, outputCeiling: null, reserved: 6_000n });
    expect(await open(false, 6_000n)).toMatchObject({ isAdmitted: true, outputCeiling: 916, reserved: 5_496n });
  });

  it('charges actual usage once, even above the reservation', async () => {
    const user = balance(randomUUID(), { budgetDayNanodollars: 5000n });
    const call = openCall({ admissionRequest: requestOf([user], { money: money(1000n) }) });
    await ledgerAt(0).open(call);
    await ledgerAt(0).close(closedCall(call, { costNanodollars: 1234n }));
    expect(await rowOf(call.id)).toMatchObject({ cost_nanodollars: '1234', uncharged_nanodollars: null });
    expect(await balanceOf(user.id)).toMatchObject({ running: 0, spent: 1234n, reserved: 0n });
    ledgerAt(0).keepUndelivered(closedCall(call, { costNanodollars: 1234n }));
    await ledgerAt(0).close(closedCall(openCall()));
    expect(await rowOf(call.id)).toMatchObject({ cost_nanodollars: '1234', error_code: 'undelivered' });
    expect(await balanceOf(user.id)).toMatchObject({ running: 0, spent: 1234n, reserved: 0n });
  });

  it('refuses every paid call while a balance is negative', async () => {
    const user = balance(randomUUID(), { budgetTotalNanodollars: 1000n });
    const open = (full: bigint) => openCall({ admissionRequest: requestOf([user], { money: money(full) }) });
    const call = open(1000n);
    await ledgerAt(0).open(call);
    await ledgerAt(0).close(closedCall(call, { costNanodollars: 40_000n }));
    for (const full of [1n, 1000n]) expect(await ledgerAt(0).open(open(full))).toMatchObject({ isAdmitted: false });
    expect(await ledgerAt(0).open(open(0n))).toMatchObject({ isAdmitted: true });
    const raised = balance(user.id, { budgetTotalNanodollars: 50_000n });
    const next = openCall({ admissionRequest: requestOf([raised], { money: money(9000n, 100) }) });
    expect(await ledgerAt(0).open(next)).toMatchObject({ isAdmitted: true });
  });

  it('admits a free call when a budget is spent', async () => {
    const user = balance(randomUUID(), { budgetDayNanodollars: 0n });
    const open = (full: bigint) =>
      ledgerAt(0).open(openCall({ admissionRequest: requestOf([user], { money: money(full) }) }));
    expect(await open(1n)).toMatchObject({ isAdmitted: false });
    expect(await open(0n)).toMatchObject({ isAdmitted: true });
  });

  it('takes requests, estimated tokens and slots together or not at all, in the order of the calls', async () => {
    const [user, key] = [randomUUID(), randomUUID()];
    const both = [
      balance(user, { requestsPerMinute: 3, concurrentCalls: 10 }),
      balance(key, { tokensPerMinute: 100 }, 'key'),
    ];
    const tokens = [60, 60, 40, 1, 1];
    const admissions = await Promise.all(
      tokens.map((count) => ledgerAt(0).open(openCall({ admissionRequest: requestOf(both, { tokens: count }) }))),
    );
    expect(admissions.map((admission) => admission?.isAdmitted)).toEqual([true, false, true, false, false]);
    const [, second, , , last] = admissions;
    expect(second).toMatchObject({ refusal: { name: 'tokens_per_minute', balance: key, needed: 60, lasting: true } });
    expect(second?.isAdmitted === false && second.refusal.seconds).toBeCloseTo(12, 0);
    expect(last).toMatchObject({
      refusal: { name: 'tokens_per_minute', needed: 1 },
      remaining: { [user]: { requests: 1 } },
    });
    expect(await balanceOf(user)).toMatchObject({ running: 2, requests: 2 });
    expect(await balanceOf(key)).toMatchObject({ running: 2, tokens: 100 });
  });

  it('names the limit with the longest wait, a budget before all others', async () => {
    const [user, key] = [randomUUID(), randomUUID()];
    const limited = (values: Parameters<typeof balance>[1]) => [
      balance(user, { requestsPerMinute: 2, concurrentCalls: 1, budgetDayNanodollars: 1500n }),
      balance(key, { tokensPerMinute: 40, ...values }, 'key'),
    ];
    const open = (balances: ReturnType<typeof limited>, full = 1000n, tokens = 1) =>
      ledgerAt(0).open(openCall({ admissionRequest: requestOf(balances, { money: money(full, 100), tokens }) }));
    expect(await open(limited({}))).toMatchObject({ isAdmitted: true });
    const ofSlot = { name: 'concurrent_calls', balance: user, needed: 1, seconds: 1, lasting: false };
    expect(await open(limited({}), 400n)).toMatchObject({ refusal: ofSlot });
    const ofTokens = { name: 'tokens_per_minute', balance: key, needed: 40, lasting: true, remaining: null };
    expect(await open(limited({}), 400n, 40)).toMatchObject({ refusal: ofTokens });
    const ofDay = { name: 'budget_day', balance: user, needed: 1000, seconds: null, remaining: 500, lasting: false };
    expect(await open(limited({}), 1000n, 40)).toMatchObject({ refusal: ofDay });
    const ofTotal = { name: 'budget_total', balance: key, needed: 500, remaining: -901, lasting: true };
    expect(await open(limited({ budgetTotalNanodollars: 99n }), 500n)).toMatchObject({ refusal: ofTotal });
  });

  it('takes usage above the estimate, so that the level may become negative', async () => {
    const user = balance(randomUUID(), { tokensPerMinute: 100 });
    const call = openCall({ estimatedInputTokens: 10, admissionRequest: requestOf([user]) });
    await ledgerAt(0).open(call);
    await ledgerAt(0).close(closedCall(call, { tokens: { input: 12, cached: 0, output: 200, reasoning: 0 } }));
    expect((await balanceOf(user.id)).tokens).toBeGreaterThan(205);
    expect(await ledgerAt(0).open(openCall({ admissionRequest: requestOf([user]) }))).toMatchObject({
      isAdmitted: false,
    });
  });

  it('releases what the calls of a dead process held', async () => {
    const user = balance(randomUUID(), { budgetTotalNanodollars: USD, concurrentCalls: 5 });
    const dead = await startServices(database.url, UsageModule);
    const { id } = dead.get(InstanceService);
    const call = openCall({ admissionRequest: requestOf([user], { money: money(1000n) }) });
    await dead.get(UsageLedgerService).open(call);
    expect(await balanceOf(user.id)).toMatchObject({ running: 1, reserved: 1000n });
    await dead.close();
    await database.query('SELECT limit_interrupt($1)', [id]);
    expect(await rowOf(call.id)).toMatchObject({ status: 'interrupted' });
    expect(await balanceOf(user.id)).toMatchObject({ running: 0, reserved: 0n, spent: 0n });
  });

  it('charges the cost of a call that was marked as interrupted, without charging its prompt twice', async () => {
    const user = balance(randomUUID(), { budgetTotalNanodollars: 1500n });
    const late = openCall({ promptNanodollars: 300, admissionRequest: requestOf([user], { money: money(1000n) }) });
    const second = openCall({ admissionRequest: requestOf([user], { money: money(1100n) }) });
    await ledgerAt(0).open(late);
    // As if this process had lost its lock.
    await database.query('UPDATE usage_calls SET instance_id = 12345 WHERE id = $1', [late.id]);
    await database.query('SELECT limit_interrupt(12345)');
    expect(await rowOf(late.id)).toMatchObject({ cost_nanodollars: '300', charge: { basis: 'prompt' } });
    expect(await balanceOf(user.id)).toMatchObject({ running: 0, reserved: 0n, spent: 300n });
    expect(await ledgerAt(1).open(second)).toMatchObject({ isAdmitted: true });
    await ledgerAt(0).close(closedCall(late, { costNanodollars: 900n }));
    expect(await rowOf(late.id)).toMatchObject({
      cost_nanodollars: '900',
      uncharged_nanodollars: null,
      status: 'settled',
    });
    await ledgerAt(1).close(closedCall(second, { costNanodollars: 1100n }));
    expect(await balanceOf(user.id)).toMatchObject({ running: 0, reserved: 0n, spent: 2000n });
  });

  it('charges a call whose open row was lost in a crash of Postgres', async () => {
    const user = balance(randomUUID(), { budgetTotalNanodollars: 1500n });
    await ledgerAt(0).open(openCall({ admissionRequest: requestOf([user], { money: money(1000n) }) }));
    const lost = openCall({ admissionRequest: requestOf([user], { money: money(1000n) }) });
    await ledgerAt(0).close(closedCall(lost, { costNanodollars: 900n }));
    expect(await rowOf(lost.id)).toMatchObject({ cost_nanodollars: '900', uncharged_nanodollars: null });
    expect(await balanceOf(user.id)).toMatchObject({ running: 1, reserved: 1000n, spent: 900n });
  });

  it("includes the month's spending before a budget was set", async () => {
    const userId = randomUUID();
    const before = openCall({ userId });
    await ledgerAt(0).open(before);
    await ledgerAt(0).close(closedCall(before, { costNanodollars: 700n }));
    const user = balance(userId, { budgetMonthNanodollars: 1000n });
    const open = (full: bigint) =>
      ledgerAt(0).open(openCall({ userId, admissionRequest: requestOf([user], { money: money(full, 100) }) }));
    expect(await open(0n)).toMatchObject({ isAdmitted: true });
    await eventually(async () => (await balanceOf(userId)).spent === 700n);
    expect(await open(301n)).toMatchObject({ isAdmitted: false });
    expect(await open(300n)).toMatchObject({ isAdmitted: true });
  });

  it('decides about a batch as it decides about single calls, even if the statement is repeated', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const schema = new LedgerSchema();
    await schema.read(client);
    const { id: alive } = (replicas[0] as INestApplicationContext).get(InstanceService);
    const decide = async (format: OpeningFormat, calls: readonly OpenCall[], isRepeated = false) => {
      const { name: _, ...query } = format.query(calls, isRepeated);
      return format.results(await client.query(query), calls);
    };
    const reported = (admissions: readonly (Admission | null)[]) =>
      admissions.map((one) => [one?.isAdmitted, one?.isAdmitted ? [one.reserved, one.outputCeiling] : null]);
    for (let trial = 0; trial < 25; trial++) {
      const random = (most: number) => Math.floor(Math.random() * most);
      const [budget, slots] = [BigInt(random(40_000)), 1 + random(14)];
      const wishes = Array.from({ length: 12 }, () => {
        const ceiling = 1 + random(3000);
        return money(BigInt(ceiling * random(4)), ceiling, random(2) === 0);
      });
      const callsOf = () => {
        const ids = [randomUUID(), randomUUID()] as const;
        const both = [
          balance(ids[0], { budgetMonthNanodollars: budget }),
          balance(ids[1], { concurrentCalls: slots, budgetTotalNanodollars: budget / 2n }, 'key'),
        ];
        return { ids, calls: wishes.map((input) => openCall({ admissionRequest: requestOf(both, { money: input }) })) };
      };
      const [together, separate] = [callsOf(), callsOf()];
      const format = new OpeningFormat(alive, schema);
      const decided = await decide(format, together.calls);
      const again = await decide(format, together.calls, true);
      const single: (Admission | null)[] = [];
      for (const call of separate.calls) single.push(...(await decide(format, [call])));
      expect(reported(decided)).toEqual(reported(single));
      // Calls that were refused may fit by now; admitted calls keep their reservations.
      const admitted = decided.flatMap((one, index) => (one?.isAdmitted ? [index] : []));
      expect(reported(admitted.map((index) => again[index] ?? null))).toEqual(
        reported(admitted.map((index) => decided[index] ?? null)),
      );
      const reserved = async (ids: readonly string[]) => Promise.all(ids.map(balanceOf));
      const more = again.filter((one, index) => one?.isAdmitted && !decided[index]?.isAdmitted);
      if (more.length === 0) expect(await reserved(together.ids)).toEqual(await reserved(separate.ids));
    }
    await client.end();
  });

  it('resets with the day and the month, and does not change past days and months', async () => {
    const user = balance(randomUUID(), { budgetDayNanodollars: 1000n, budgetMonthNanodollars: 1800n });
    const yesterday = openCall({ admissionRequest: requestOf([user], { money: money(1000n) }) });
    await ledgerAt(0).open(yesterday);
    await database.query("UPDATE limit_balances SET day = day - 1, at = at - interval '1 day' WHERE id = $1", [
      user.id,
    ]);
    await database.query("UPDATE usage_calls SET admitted_at = admitted_at - interval '1 day' WHERE id = $1", [
      yesterday.id,
    ]);
    const today = openCall({ admissionRequest: requestOf([user], { money: money(800n) }) });
    expect(await ledgerAt(0).open(today)).toMatchObject({ isAdmitted: true });
    await ledgerAt(0).close(closedCall(yesterday, { costNanodollars: 900n }));
    const [row] = await database.query('SELECT * FROM limit_balances WHERE id = $1', [user.id]);
    expect(row).toMatchObject({ spent_day: '0', reserved_day: '800', spent_total: '900', reserved_total: '800' });
  });
});
