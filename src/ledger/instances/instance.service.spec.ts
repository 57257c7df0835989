import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { eventually } from '../../../test/support/eventually.js';
import { closedCall, openCall } from '../../../test/support/test-calls.js';
import { createMigratedDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { startServices } from '../../../test/support/test-services.js';
import { SESSION_NAME } from '../../database/session.service.js';
import { UsageModule } from '../../usage/usage.module.js';
import { UsageLedgerService } from '../usage-ledger.service.js';
import { InstanceService } from './instance.service.js';

describe('InstanceService', () => {
  let database: TestDatabase;
  let first: INestApplicationContext;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    first = await startServices(database.url, UsageModule);
  });
  afterAll(async () => {
    await first?.close();
    await database?.drop();
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
