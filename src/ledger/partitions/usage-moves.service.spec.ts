import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../test/support/eventually.js';
import { closedCall, openCall } from '../../../test/support/test-calls.js';
import { createMigratedDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { startServices } from '../../../test/support/test-services.js';
import { UsageReportsService } from '../../usage/reports/usage-reports.service.js';
import { UsageRollupsService } from '../../usage/rollups/usage-rollups.service.js';
import { UsageModule } from '../../usage/usage.module.js';
import { UsageLedgerService } from '../usage-ledger.service.js';

const FROM = new Date('2026-10-01T00:00:00Z');

describe('a database that moved to another server', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createMigratedDatabase();
  });
  afterAll(() => database?.drop());

  /** Starts a gateway, serves one call, and stops it. `rollsUp`: with or without roll-ups. */
  async function gatewayRuns(rollsUp: boolean) {
    const services = await startServices(database.url, UsageModule);
    try {
      await services.get(UsageLedgerService).close(closedCall(openCall({ startedAt: FROM })));
      if (rollsUp) expect(await eventually(() => services.get(UsageRollupsService).rollUp())).toBe(true);
      const to = new Date(FROM.getTime() + 3_600_000);
      const question = { from: FROM, to, zone: 'UTC', granularity: 'hour', groupBy: null, compare: false } as const;
      return (await services.get(UsageReportsService).report(question)).totals.requests;
    } finally {
      await services.close();
    }
  }

  it('loses no call and counts no call twice, although transaction numbers restart', async () => {
    expect(await gatewayRuns(true)).toBe(1);
    expect(await gatewayRuns(false)).toBe(2);
    await moveToServerWithFewerTransactions();
    expect(await gatewayRuns(false)).toBe(3);
    expect(await gatewayRuns(true)).toBe(4);
    expect(await gatewayRuns(true)).toBe(5);
  });

  /** As in a restored dump: the ledger's numbers are far ahead of this server's. */
  async function moveToServerWithFewerTransactions(): Promise<void> {
    await database.query('UPDATE usage_calls SET changed_in = changed_in + 1000000');
    await database.query('UPDATE usage_rollup_state SET rolled_up_to = rolled_up_to + 1000000, server = server - 1');
  }
});
