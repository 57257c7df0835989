import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { DatabaseProxy } from '../../test/support/database-proxy.js';
import { eventually } from '../../test/support/eventually.js';
import { closedCall, openCall } from '../../test/support/test-calls.js';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { startServices } from '../../test/support/test-services.js';
import { UsageModule } from './usage.module.js';
import { UsageLedgerService } from './usage-ledger.service.js';

describe('UsageLedgerService, while the database is away', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let services: INestApplicationContext;
  let ledger: UsageLedgerService;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await DatabaseProxy.create(database.url);
    await proxy.open();
    services = await startServices(proxy.url, UsageModule);
    ledger = services.get(UsageLedgerService);
  });
  afterAll(async () => {
    await services?.close();
    await proxy?.close();
    await database?.drop();
  });

  const rowsOf = (id: string) => database.query('SELECT * FROM usage_calls WHERE id = $1', [id]);

  it('refuses at once when nobody listens, and writes what it kept when the database is back', async () => {
    const calls = Array.from({ length: 1200 }, () => openCall());
    await ledger.open(openCall());
    await proxy.close();
    const beganAt = performance.now();
    await expect(ledger.open(openCall())).rejects.toMatchObject({ status: 503 });
    const results = await Promise.allSettled(calls.map((call) => ledger.close(closedCall(call))));
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    expect(performance.now() - beganAt).toBeLessThan(2000);
    await proxy.open();
    const count = async () => {
      const rows = await database.query("SELECT 1 FROM usage_calls WHERE status = 'settled'");
      return rows.length === calls.length;
    };
    await eventually(count);
  });

  it('refuses after a while when the database does not answer, and takes back an open row that nobody acknowledged', async () => {
    const [refused, closed] = [openCall(), openCall()];
    await ledger.open(openCall());
    proxy.silence();
    const beganAt = performance.now();
    const [opening, closing] = await Promise.allSettled([ledger.open(refused), ledger.close(closedCall(closed))]);
    expect(opening).toMatchObject({ status: 'rejected', reason: { status: 503 } });
    expect(closing).toMatchObject({ status: 'rejected', reason: { status: 503 } });
    expect(performance.now() - beganAt).toBeLessThan(15_000);
    expect(await rowsOf(refused.id)).toEqual([expect.objectContaining({ status: 'open' })]);
    await proxy.close();
    await proxy.open();
    await eventually(async () => (await rowsOf(refused.id)).length === 0);
    expect(await rowsOf(closed.id)).toEqual([expect.objectContaining({ status: 'settled' })]);
  });
});
