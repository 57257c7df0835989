import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { closedCall, openCall } from '../../test/support/test-calls.js';
import { createMigratedDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { balance, money, requestOf } from '../../test/support/test-limits.js';
import { startServices } from '../../test/support/test-services.js';
import { UsageModule } from '../usage/usage.module.js';
import type { OpenCall } from './call-record.types.js';
import { InstanceService } from './instance.service.js';
import { LedgerVerificationModule } from './ledger-verification.module.js';
import { LedgerVerificationService } from './ledger-verification.service.js';
import { UsageLedgerService } from './usage-ledger.service.js';

const REPLICAS = 5;
const CALLS = 3000;
const CAP = 1_000_000n;

describe('replicas that compete for the same balances', () => {
  let database: TestDatabase;
  let replicas: INestApplicationContext[];
  let verification: LedgerVerificationService;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    replicas = [];
    for (let count = 0; count < REPLICAS; count++) {
      replicas.push(await startServices(database.url, UsageModule, LedgerVerificationModule));
    }
    verification = (replicas[0] as INestApplicationContext).get(LedgerVerificationService);
  });

  const ledgerOf = (replica: INestApplicationContext) => replica.get(UsageLedgerService);
  const disownAll = (replica: INestApplicationContext) =>
    database.query(`UPDATE usage_calls SET instance_id = -1 WHERE status = 'open' AND instance_id = $1`, [
      replica.get(InstanceService).id,
    ]);

  it('exceed budgets only by costs above reservations, lose nothing, and do not deadlock', async () => {
    const random = seeded(7);
    const users = Array.from({ length: 3 }, () => randomUUID());
    const keys = Array.from({ length: 9 }, () => randomUUID());
    const projects = Array.from({ length: 2 }, () => randomUUID());
    const projectOf = (userId: string) => projects[(users as string[]).indexOf(userId) % projects.length] ?? '';
    const late: OpenCall[] = [];
    /** By user, key or project: nano-dollars that calls cost above their reservation, or after they were given up. */
    const beyond = new Map<string, bigint>();
    const noteBeyond = ({ userId, keyId }: OpenCall, amount: bigint) => {
      for (const id of [userId, keyId, projectOf(userId)]) beyond.set(id, (beyond.get(id) ?? 0n) + amount);
    };
    const run = async (index: number): Promise<void> => {
      const replica = replicas[index % REPLICAS] as INestApplicationContext;
      const userId = users[Math.floor(random() * users.length)] ?? '';
      const keyId = keys[Math.floor(random() * keys.length)] ?? '';
      const of = [
        balance(userId, { budgetMonthNanodollars: CAP, concurrentCalls: 500 }),
        balance(keyId, { budgetTotalNanodollars: CAP / 2n, requestsPerMinute: 100_000 }, 'key'),
        balance(projectOf(userId), { budgetMonthNanodollars: CAP }, 'project'),
      ];
      const full = BigInt(1 + Math.floor(random() * 20_000));
      const balances = random() < 0.5 ? of : of.reverse();
      const isLimited = random() < 0.9;
      const own = random() < 0.5;
      const call = openCall({
        userId,
        keyId,
        admissionRequest: isLimited ? requestOf(balances, { money: money(full, 1000, own) }) : null,
      });
      const admission = await ledgerOf(replica).open(call);
      if (isLimited && !admission?.isAdmitted) return;
      if (random() < 0.05) late.push(call);
      else {
        const reserved = (admission?.isAdmitted && admission.reserved) || 0n;
        const costsTwice = random() < 0.02;
        const costNanodollars = costsTwice ? reserved * 2n : BigInt(Math.floor(Number(reserved) * random()));
        if (costsTwice) noteBeyond(call, reserved);
        await ledgerOf(replica).close(closedCall(call, { costNanodollars }));
      }
    };
    for (let begun = 0; begun < CALLS; begun += 500) {
      await Promise.all(Array.from({ length: 500 }, (_, index) => run(begun + index)));
      expect(await verification.verify()).toEqual({ ok: true, calls: expect.any(Number), waiting: 0, faults: [] });
      for (const replica of replicas) await disownAll(replica);
      await database.query('SELECT limit_interrupt(-1)');
      // Some were alive after all.
      const back = late.splice(0);
      for (const call of back) noteBeyond(call, call.admissionRequest?.money?.full ?? 0n);
      await Promise.all(
        back.map((call, index) =>
          ledgerOf(replicas[index % REPLICAS] as INestApplicationContext).close(
            closedCall(call, { costNanodollars: call.admissionRequest?.money?.full ?? 0n }),
          ),
        ),
      );
    }
    expect(await verification.verify()).toMatchObject({ ok: true, faults: [] });
    const sums = await database.query<Record<string, string>>(
      'SELECT id, kind, running, reserved_total, spent_month, spent_total FROM limit_balances',
    );
    expect(sums).toHaveLength(users.length + keys.length + projects.length);
    for (const { id = '', kind, running, reserved_total: reserved, spent_month: spent, spent_total: total } of sums) {
      expect([running, reserved]).toEqual([0, '0']);
      const most = (kind === 'key' ? CAP / 2n : CAP) + (beyond.get(id) ?? 0n);
      expect(BigInt(String(kind === 'key' ? total : spent))).toBeLessThanOrEqual(most);
    }
    const [{ deadlocks } = {}] = await database.query(
      'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(deadlocks).toBe(0);
  }, 120_000);

  it('are consistent after an unlimited call was abandoned among limited calls', async () => {
    const user = balance(randomUUID(), { budgetTotalNanodollars: 1000n });
    const limited = openCall({ admissionRequest: requestOf([user], { money: money(600n) }) });
    const unlimited = openCall();
    const ledger = ledgerOf(replicas[0] as INestApplicationContext);
    await Promise.all([limited, unlimited].map((call) => ledger.open(call)));
    const left = { status: 'aborted', tokenSource: 'estimated', costNanodollars: 600n } as const;
    await Promise.all([limited, unlimited].map((call) => ledger.close(closedCall(call, left))));
    expect(await verification.verify()).toMatchObject({ ok: true, faults: [] });
  });

  it('are verified: rows and balances that were changed by hand are named', async () => {
    const user = balance(randomUUID(), { budgetTotalNanodollars: 1000n });
    const call = openCall({ admissionRequest: requestOf([user], { money: money(600n) }) });
    const ledger = ledgerOf(replicas[0] as INestApplicationContext);
    await ledger.open(call);
    await ledger.close(closedCall(call, { status: 'aborted', tokenSource: 'estimated', costNanodollars: 600n }));
    await database.query('UPDATE usage_calls SET cost_nanodollars = 601 WHERE id = $1', [call.id]);
    await database.query('UPDATE limit_balances SET running = 1 WHERE id = $1', [user.id]);
    await database.query('UPDATE limit_caps SET cap_total = 599 WHERE id = $1', [user.id]);
    const { ok, faults } = await verification.verify();
    expect(ok).toBe(false);
    expect(faults).toEqual(
      expect.arrayContaining([
        `call ${call.id} is aborted and was charged 601 of 600 reserved nano-dollars by an estimate`,
        `balance ${user.id} of a user: calls in progress is 1, its calls have 0`,
        `balance ${user.id} of a user: spent (total) is 600, its calls have 601`,
        `balance ${user.id}: with call ${call.id} its calls came to 600 of 599 nano-dollars (total)`,
      ]),
    );
  });
});

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
