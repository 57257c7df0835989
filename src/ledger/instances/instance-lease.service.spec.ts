import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { DatabaseProxy } from '../../../test/support/database-proxy.js';
import { eventually } from '../../../test/support/eventually.js';
import { openCall } from '../../../test/support/test-calls.js';
import { createMigratedDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { startServices } from '../../../test/support/test-services.js';
import { SessionService } from '../../database/session.service.js';
import { UsageModule } from '../../usage/usage.module.js';
import { UsageLedgerService } from '../usage-ledger.service.js';

describe('a process whose host has vanished', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let vanishing: INestApplicationContext;
  let other: INestApplicationContext;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    proxy = await DatabaseProxy.create(database.url);
    await proxy.open();
    vanishing = await startServices(proxy.url, UsageModule);
    other = await startServices(database.url, UsageModule);
  });
  afterAll(async () => {
    await proxy?.close();
    await proxy?.open();
    await vanishing?.close();
    await other?.close();
    await proxy?.close();
    await database?.drop();
  });

  const statusOf = async (id: string) => {
    const [row] = await database.query<{ status: string }>('SELECT status FROM usage_calls WHERE id = $1', [id]);
    return row?.status;
  };

  it('has its calls closed by another process within 15 s, which affects no other, and recovers afterwards', async () => {
    const [lost, kept] = [openCall(), openCall()];
    await vanishing.get(UsageLedgerService).open(lost);
    await other.get(UsageLedgerService).open(kept);
    await eventually(() => other.get(SessionService).steadyMs > 10_000);
    expect([await statusOf(lost.id), await statusOf(kept.id)]).toEqual(['open', 'open']);

    let regained = 0;
    vanishing.get(SessionService).regained.subscribe(() => regained++);
    proxy.vanish();
    const beganAt = performance.now();
    await eventually(async () => (await statusOf(lost.id)) === 'interrupted', 15_000);
    expect(performance.now() - beganAt).toBeGreaterThan(8000);
    expect(await statusOf(kept.id)).toBe('open');

    await proxy.close();
    await proxy.open();
    await eventually(() => regained > 0);
    const later = openCall();
    await vanishing.get(UsageLedgerService).open(later);
    await new Promise((resolve) => setTimeout(resolve, 12_000));
    expect([await statusOf(later.id), await statusOf(kept.id)]).toEqual(['open', 'open']);
  });
});
