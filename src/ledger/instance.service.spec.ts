import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { DatabaseProxy } from '../../test/support/database-proxy.js';
import { eventually } from '../../test/support/eventually.js';
import { closedCall, openCall } from '../../test/support/test-calls.js';
import { createMigratedDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { startServices } from '../../test/support/test-services.js';
import { SESSION_NAME, SessionService } from '../database/session.service.js';
import { UsageModule } from '../usage/usage.module.js';
import { InstanceService } from './instance.service.js';
import { UsageLedgerService } from './usage-ledger.service.js';

describe('InstanceService', () => {
  let database: TestDatabase;
  let first: INestApplicationContext;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    first = await startServices(database.url, UsageModule);
  });

  const statusOf = async (id: string) => {
    const [row] = await database.query<{ status: string }>('SELECT status FROM usage_calls WHERE id = $1', [id]);
    return row?.status;
  };
  const withAnother = async (work: (other: INestApplicationContext) => Promise<void> = async () => undefined) => {
    const other = await startServices(database.url, UsageModule);
    await work(other).finally(() => other.close());
  };

  it('holds the lock of its id for as long as it lives', async () => {
    const { id } = first.get(InstanceService);
    const isFree = async (lock: string) => {
      const [row] = await database.query('SELECT pg_try_advisory_xact_lock($1) AS free', [lock]);
      return row?.free;
    };
    expect(await isFree(id)).toBe(false);
    let otherId = '';
    await withAnother(async (other) => {
      otherId = other.get(InstanceService).id;
      expect(await isFree(otherId)).toBe(false);
    });
    expect(otherId).not.toBe(id);
    expect(await isFree(otherId)).toBe(true);
  });

  it('does not touch the open calls of a live instance', async () => {
    const call = openCall();
    await first.get(UsageLedgerService).open(call);
    await withAnother();
    expect(await statusOf(call.id)).toBe('open');
  });

  it('closes the open calls of an ended instance, and no others', async () => {
    const [open, settled] = [openCall(), openCall()];
    await withAnother(async (other) => {
      await other.get(UsageLedgerService).open(open);
      await other.get(UsageLedgerService).close(closedCall(settled));
    });
    expect(await statusOf(open.id)).toBe('open');
    await withAnother();
    const [row] = await database.query('SELECT * FROM usage_calls WHERE id = $1', [open.id]);
    expect(row).toMatchObject({
      status: 'interrupted',
      error_code: 'interrupted',
      input_tokens: String(open.estimatedInputTokens),
      output_tokens: '0',
      token_source: 'estimated',
      cost_nanodollars: '0',
    });
    expect(await statusOf(settled.id)).toBe('settled');
  });

  it('does not touch the calls of others immediately after an outage of the database', async () => {
    const open = openCall();
    await withAnother(async (other) => {
      await other.get(UsageLedgerService).open(open);
    });
    for (let round = 0; round < 24; round++) {
      await database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = $1`,
        [SESSION_NAME],
      );
      await sleep(500);
    }
    expect(await statusOf(open.id)).toBe('open');
    await eventually(async () => (await statusOf(open.id)) === 'interrupted', 30_000);
  }, 60_000);
});

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
    const [lost, stored] = [openCall(), openCall()];
    await vanishing.get(UsageLedgerService).open(lost);
    await other.get(UsageLedgerService).open(stored);
    await eventually(() => other.get(SessionService).steadyMs > 10_000);
    expect([await statusOf(lost.id), await statusOf(stored.id)]).toEqual(['open', 'open']);

    let regained = 0;
    vanishing.get(SessionService).regained.subscribe(() => regained++);
    proxy.vanish();
    const beganAt = performance.now();
    await eventually(async () => (await statusOf(lost.id)) === 'interrupted', 15_000);
    expect(performance.now() - beganAt).toBeGreaterThan(8000);
    expect(await statusOf(stored.id)).toBe('open');

    await proxy.close();
    await proxy.open();
    await eventually(() => regained > 0);
    const later = openCall();
    await vanishing.get(UsageLedgerService).open(later);
    await new Promise((resolve) => setTimeout(resolve, 12_000));
    expect([await statusOf(later.id), await statusOf(stored.id)]).toEqual(['open', 'open']);
  });
});
