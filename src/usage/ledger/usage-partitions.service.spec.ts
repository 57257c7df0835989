import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import pg from 'pg';
import { closedCall, openCall } from '../../../test/support/test-calls.js';
import { createMigratedDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { startServices } from '../../../test/support/test-services.js';
import { UsageModule } from '../usage.module.js';
import { UsageLedgerService } from './usage-ledger.service.js';
import { partitionOf as partitionOfMonth } from './usage-months.js';
import { UsagePartitionsService } from './usage-partitions.service.js';

describe('UsagePartitionsService', () => {
  let database: TestDatabase;
  let services: INestApplicationContext;
  let partitions: UsagePartitionsService;
  let ledger: UsageLedgerService;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    services = await startServices(database.url, UsageModule);
    partitions = services.get(UsagePartitionsService);
    ledger = services.get(UsageLedgerService);
  });
  afterAll(async () => {
    await services?.close();
    await database?.drop();
  });

  const names = async () => {
    const rows = await database.query<{ name: string }>(
      "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'usage_calls'::regclass ORDER BY 1",
    );
    return rows.map(({ name }) => name);
  };
  const partitionOf = async (startedAt: string) => {
    const call = openCall({ startedAt: new Date(startedAt) });
    await ledger.close(closedCall(call));
    const [row] = await database.query<{ name: string }>(
      'SELECT tableoid::regclass::text AS name FROM usage_calls WHERE id = $1',
      [call.id],
    );
    return row?.name;
  };

  it('has those of this month and the next after the start', async () => {
    const now = new Date();
    const monthOf = (date: Date) => `usage_calls_${date.toISOString().slice(0, 7).replace('-', '_')}`;
    const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
    expect(await names()).toEqual(['usage_calls_default', monthOf(now), monthOf(next)].sort());
    expect(await partitionOf(now.toISOString())).toBe(monthOf(now));
  });

  it('cuts at the first instant of a month in UTC, over the end of a year too', async () => {
    await partitions.prepare(new Date('2031-12-31T23:59:59.999Z'));
    expect(await partitionOf('2031-12-01T00:00:00.000Z')).toBe('usage_calls_2031_12');
    expect(await partitionOf('2031-12-31T23:59:59.999Z')).toBe('usage_calls_2031_12');
    expect(await partitionOf('2032-01-01T00:00:00.000Z')).toBe('usage_calls_2032_01');
    expect(await partitionOf('2032-01-31T23:59:59.999Z')).toBe('usage_calls_2032_01');
  });

  it('is not led astray by the last days of a long month', async () => {
    await partitions.prepare(new Date('2033-01-31T12:00:00Z'));
    expect(await names()).toEqual(expect.arrayContaining(['usage_calls_2033_01', 'usage_calls_2033_02']));
    expect(await names()).not.toContain('usage_calls_2033_03');
  });

  it('moves what came before its partition out of the default one', async () => {
    expect(await partitionOf('2034-05-10T00:00:00Z')).toBe('usage_calls_default');
    expect(await partitionOf('2034-07-10T00:00:00Z')).toBe('usage_calls_default');
    await partitions.prepare(new Date('2034-05-20T00:00:00Z'));
    expect(await database.query('SELECT started_at FROM usage_calls_2034_05')).toHaveLength(1);
    expect(await database.query('SELECT started_at FROM usage_calls_default')).toEqual([
      { started_at: new Date('2034-07-10T00:00:00Z') },
    ]);
    await partitions.prepare(new Date('2034-07-20T00:00:00Z'));
    expect(await database.query('SELECT started_at FROM usage_calls_default')).toEqual([]);
  });

  it('may be asked for by several processes at once', async () => {
    const now = new Date('2035-03-01T00:00:00Z');
    await Promise.all(Array.from({ length: 5 }, () => partitions.prepare(now)));
    expect(await names()).toEqual(expect.arrayContaining(['usage_calls_2035_03', 'usage_calls_2035_04']));
  });

  it('does not hold up calls while somebody reads the ledger', async () => {
    const reader = new pg.Client({ connectionString: database.url });
    await reader.connect();
    await reader.query("BEGIN; SELECT count(*) FROM usage_calls WHERE started_at > '2031-01-01'");
    const preparing = partitions.prepare(new Date('2036-01-01T00:00:00Z'));
    await ledger.close(closedCall(openCall()));
    await reader.end();
    await preparing;
    expect(await names()).toContain('usage_calls_2036_01');
  });

  it('does not hinder calls where it is gone', async () => {
    const now = new Date();
    await database.query(`DROP TABLE ${partitionOfMonth(now)}`);
    const call = openCall();
    await ledger.open(call);
    await ledger.close(closedCall(call));
    expect(await database.query('SELECT status FROM usage_calls_default WHERE id = $1', [call.id])).toEqual([
      { status: 'settled' },
    ]);
    await partitions.prepare(now);
    expect(await partitionOf(now.toISOString())).toBe(partitionOfMonth(now));
  });
});
