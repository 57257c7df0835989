import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import pg from 'pg';
import { eventually } from '../../test/support/eventually.js';
import { closedCall, openCall } from '../../test/support/test-calls.js';
import { createMigratedDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { balance, money, requestOf } from '../../test/support/test-limits.js';
import { startServices } from '../../test/support/test-services.js';
import { UsageModule } from '../usage/usage.module.js';
import type { OpenCall } from './call-record.types.js';
import { UsageLedgerService } from './usage-ledger.service.js';

describe('closing limited calls', () => {
  let database: TestDatabase;
  let services: INestApplicationContext;
  let ledger: UsageLedgerService;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    services = await startServices(database.url, UsageModule);
    ledger = services.get(UsageLedgerService);
  });

  const rowOf = async (id: string) => (await database.query('SELECT * FROM usage_calls WHERE id = $1', [id]))[0];
  const balanceOf = async (id: string) => {
    const [row] = await database.query('SELECT * FROM limit_balances WHERE id = $1', [id]);
    return { running: row?.running, spent: BigInt(row?.spent_month), reserved: BigInt(row?.reserved_month) };
  };

  it('uses sums that are known in advance for usual calls', async () => {
    const user = balance(randomUUID(), { budgetDayNanodollars: 5000n });
    const calls = Array.from({ length: 3 }, () =>
      openCall({ admissionRequest: requestOf([user], { money: money(1000n) }) }),
    );
    await Promise.all(calls.map((call) => ledger.open(call)));
    const unlimited = openCall();
    await ledger.open(unlimited);
    // Closed by one or more statements, the last of which has a limited call.
    await Promise.all([unlimited, ...calls].map((call) => ledger.close(closedCall(call, { costNanodollars: 1100n }))));
    const [last] = await database.query<{ query: string }>(
      `SELECT query FROM pg_stat_activity
       WHERE application_name = 'gateway closed calls' AND datname = current_database() ORDER BY query_start DESC LIMIT 1`,
    );
    expect(last?.query).toContain('WITH charged AS');
    for (const { id } of calls) {
      expect(await rowOf(id)).toMatchObject({ cost_nanodollars: '1100', uncharged_nanodollars: null });
    }
    expect(await rowOf(unlimited.id)).toMatchObject({ cost_nanodollars: '1100', uncharged_nanodollars: null });
    expect(await balanceOf(user.id)).toMatchObject({ running: 0, spent: 3300n, reserved: 0n });
  });

  it('frees the slot and reservation of a call whose row Postgres rejects', async () => {
    const user = balance(randomUUID(), { budgetTotalNanodollars: 100_000n, concurrentCalls: 2 });
    const [refused, other] = [0, 1].map(() =>
      openCall({ admissionRequest: requestOf([user], { money: money(1000n) }) }),
    ) as [OpenCall, OpenCall];
    for (const call of [refused, other]) await ledger.open(call);
    const close = ledger.close(closedCall(refused, { finishReason: 'nul \u0000', costNanodollars: 700n }));
    await expect(close).rejects.toMatchObject({ status: 503 });
    await eventually(async () => (await rowOf(refused.id))?.status === 'failed');
    expect(await balanceOf(user.id)).toMatchObject({ running: 1, spent: 0n, reserved: 1000n });
    await ledger.close(closedCall(other, { costNanodollars: 900n }));
    expect(await balanceOf(user.id)).toMatchObject({ running: 0, spent: 900n, reserved: 0n });
  });

  it('charges calls whose open rows were lost after admission, next to usual ones', async () => {
    const user = balance(randomUUID(), { budgetTotalNanodollars: 100_000n, tokensPerMinute: 1_000_000 });
    const calls = Array.from({ length: 6 }, () =>
      openCall({ admissionRequest: requestOf([user], { money: money(1000n) }) }),
    );
    await Promise.all(calls.map((call) => ledger.open(call)));
    const [lost] = calls as [OpenCall];
    await database.query('DELETE FROM usage_calls WHERE id = $1', [lost.id]);
    await database.query(
      `UPDATE limit_balances SET running = 5, reserved_month = 5000, reserved_day = 5000, reserved_total = 5000
       WHERE id = $1`,
      [user.id],
    );
    await Promise.all(calls.map((call) => ledger.close(closedCall(call, { costNanodollars: 900n }))));
    expect(await rowOf(lost.id)).toMatchObject({ status: 'settled', cost_nanodollars: '900' });
    expect(await balanceOf(user.id)).toMatchObject({ running: 0, reserved: 0n, spent: 5400n });
  });

  it('leaves calls with other locked balances to the next sweep', async () => {
    const of = () => openCall({ admissionRequest: requestOf([balance(randomUUID(), { concurrentCalls: 5 })]) });
    const [first, second] = [of(), of()];
    const disown = (id: string) => database.query('UPDATE usage_calls SET instance_id = 54321 WHERE id = $1', [id]);
    const sweep = () => database.query('SELECT limit_interrupt(54321)');
    for (const call of [first, second]) await ledger.open(call);
    await disown(first.id);
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query(`BEGIN; SELECT limit_lock('{${first.admissionRequest?.balances[0]?.id}}')`);
    const swept = sweep();
    await eventually(async () => {
      const [waiting] = await database.query(
        `SELECT 1 FROM pg_stat_activity WHERE query LIKE '%limit_interrupt%' AND wait_event_type = 'Lock'`,
      );
      return waiting !== undefined;
    });
    await disown(second.id);
    await holder.end();
    await swept;
    expect([await rowOf(first.id), await rowOf(second.id)]).toMatchObject([
      { status: 'interrupted' },
      { status: 'open' },
    ]);
    await sweep();
    expect(await rowOf(second.id)).toMatchObject({ status: 'interrupted' });
  });
});
