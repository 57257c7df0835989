import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import pg from 'pg';
import { eventually } from '../../test/support/eventually.js';
import { closedCall, openCall } from '../../test/support/test-calls.js';
import { createMigratedDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { balance, money, requestOf, USD } from '../../test/support/test-limits.js';
import { startServices } from '../../test/support/test-services.js';
import { LedgerVerificationModule } from '../ledger/ledger-verification.module.js';
import { LedgerVerificationService } from '../ledger/ledger-verification.service.js';
import { UsageLedgerService } from '../ledger/usage-ledger.service.js';
import { UsageModule } from './usage.module.js';

const SEEDED = 200_000;
const COST = 10n;

/** $1: a user, $2: a key, $3: the number of calls, $4: the cost of each. */
const SEED = `
  INSERT INTO usage_calls (id, started_at, request_id, key_id, key_display, user_id, plan_id, model, stream, price_version,
    simulated, estimated_input_tokens, instance_id, status, input_tokens, cached_tokens, output_tokens, reasoning_tokens,
    token_source, cost_nanodollars, attempts, total_ms)
  SELECT gen_random_uuid()::text, date_trunc('day', now(), 'UTC') + n * interval '1 microsecond', 'req_1', $2::uuid, 'svc_1',
    $1::uuid, 'free', 'm', false, 'v1', false, 1, 1, 'settled', 1, 0, 1, 0, 'reported', $4, '[]', 5
  FROM generate_series(1, $3::int) AS n`;

describe('the spending before a budget was set', () => {
  let database: TestDatabase;
  let services: INestApplicationContext[];
  let ledger: UsageLedgerService;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    services = [];
    for (let count = 0; count < 2; count++) {
      services.push(await startServices(database.url, UsageModule, LedgerVerificationModule));
    }
    ledger = (services[0] as INestApplicationContext).get(UsageLedgerService);
  });

  const seed = (userId: string, calls: number, keyId = randomUUID()) =>
    database.query(SEED, [userId, keyId, calls, String(COST)]);
  const spentOf = async (id: string) => {
    const [row] = await database.query('SELECT * FROM limit_balances WHERE id = $1', [id]);
    return (
      row && { isCounted: row.base_wanted === 0, spent: [row.spent_day, row.spent_month, row.spent_total].map(Number) }
    );
  };
  const counted = (id: string) =>
    eventually(async () => {
      const found = await spentOf(id);
      return found?.isCounted && found.spent;
    }, 30_000);

  it('is not added up by the statement that opens the first call', async () => {
    const userId = randomUUID();
    await seed(userId, 100);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('BEGIN');
    await client.query(
      `SELECT * FROM limit_open(ARRAY[ROW($1::uuid, 'user', NULL, NULL, NULL, 1000, 1000, 1000, 1, 0, 10, 0)::limit_demand],
         '{}'::limit_call[], 1, false, true)`,
      [userId],
    );
    const { rows } = await client.query(
      `SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS read
       FROM pg_stat_xact_user_tables WHERE relname LIKE 'usage_%'`,
    );
    await client.query('ROLLBACK');
    await client.end();
    expect(rows).toEqual([{ read: 0 }]);
  });

  it('is added up after a call or when the budget is set, for users and keys', async () => {
    const [userId, keyId, idle] = [randomUUID(), randomUUID(), randomUUID()];
    await seed(userId, 30, keyId);
    await seed(userId, 12);
    await seed(idle, 5);
    const all = { budgetDayNanodollars: USD, budgetMonthNanodollars: USD, budgetTotalNanodollars: USD };
    await ledger.open(
      openCall({ userId, keyId, admissionRequest: requestOf([balance(userId, all), balance(keyId, all, 'key')]) }),
    );
    await database.query("SELECT limit_expect($1, 'user')", [idle]);
    expect(await counted(userId)).toEqual([420, 420, 420]);
    expect(await counted(keyId)).toEqual([300, 300, 300]);
    expect(await counted(idle)).toEqual([50, 50, 50]);
  });

  it('is correct while calls continue, however often it is added up', async () => {
    const userId = randomUUID();
    await seed(userId, 50);
    const user = balance(userId, { budgetTotalNanodollars: USD, budgetDayNanodollars: USD });
    let charged = 0n;
    const run = async () => {
      for (let calls = 0; calls < 60; calls++) {
        const call = openCall({ userId, admissionRequest: requestOf([user], { money: money(1000n) }) });
        await ledger.open(call);
        if (calls % 10 === 0) await database.query("SELECT limit_expect($1, 'user')", [userId]);
        await new Promise((resolve) => setTimeout(resolve, 10));
        await ledger.close(closedCall(call, { costNanodollars: 700n }));
        charged += 700n;
      }
    };
    await Promise.all([run(), run(), run()]);
    const spent = 500 + Number(charged);
    expect(await counted(userId)).toEqual([spent, spent, spent]);
    const verification = (services[0] as INestApplicationContext).get(LedgerVerificationService);
    expect((await verification.verify()).faults).toEqual([]);
  });

  it(`delays neither the first call of a user with ${SEEDED} calls nor the calls of others`, async () => {
    const userId = randomUUID();
    await seed(userId, SEEDED);
    const open = async (id: string) => {
      const user = balance(id, { budgetMonthNanodollars: COST * BigInt(SEEDED) + 1000n });
      const beganAt = performance.now();
      await ledger.open(openCall({ userId: id, admissionRequest: requestOf([user], { money: money(1n) }) }));
      return performance.now() - beganAt;
    };
    // Warms up the connection.
    await open(randomUUID());
    const first = open(userId);
    const others: number[] = [];
    for (let call = 0; call < 20; call++) others.push(await open(randomUUID()));
    expect(await first).toBeLessThan(500);
    expect(Math.max(...others)).toBeLessThan(500);
    expect((await counted(userId))[1]).toBe(SEEDED * Number(COST));
  }, 120_000);
});
