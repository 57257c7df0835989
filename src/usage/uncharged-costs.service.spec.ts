import { beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { DatabaseProxy } from '../../test/support/database-proxy.js';
import { eventually } from '../../test/support/eventually.js';
import { closedCall, openCall } from '../../test/support/test-calls.js';
import { createMigratedDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { startServices } from '../../test/support/test-services.js';
import { UnchargedCostsService } from './uncharged-costs.service.js';
import { UsageModule } from './usage.module.js';

const HOUR_MS = 3_600_000;

describe('uncharged costs', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let services: INestApplicationContext;
  let costs: UnchargedCostsService;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    proxy = await DatabaseProxy.create(database.url);
    await proxy.open();
    services = await startServices(proxy.url, UsageModule);
    costs = services.get(UnchargedCostsService);
  });

  const outrun = (model: string, nanodollars: number) => {
    const attempt = { upstream: 'openai', upstreamModel: 'm', startMs: 0, ms: 1, outcome: 'outrun', status: null };
    return closedCall(openCall({ model }), { attempts: [{ ...attempt, estimatedCostNanodollars: nanodollars }] });
  };
  const from = new Date(Date.now() - HOUR_MS);
  const to = new Date(Date.now() + HOUR_MS);

  it('are added up by model and reason, and reported for a time range', async () => {
    costs.note(closedCall(openCall()));
    for (let count = 0; count < 3; count++) costs.note(outrun('a', 100));
    costs.note(outrun('b', 7));
    costs.note(closedCall(openCall({ model: 'b' }), { charge: { uncharged: 1 } }));
    await eventually(async () => (await costs.between(from, to)) === 308n);
    expect(await costs.between(from, to, ['b'])).toBe(8n);
    expect(await costs.between(new Date(0), from)).toBe(0n);
    const rows = await database.query(
      'SELECT model, reason, sum(nanodollars)::int AS sum FROM uncharged_costs GROUP BY 1, 2 ORDER BY 1, 2',
    );
    expect(rows).toEqual([
      { model: 'a', reason: 'outrun', sum: 300 },
      { model: 'b', reason: 'left', sum: 1 },
      { model: 'b', reason: 'outrun', sum: 7 },
    ]);
  });

  it('are kept while the database is unavailable', async () => {
    await proxy.close();
    costs.note(outrun('c', 5));
    await new Promise((resolve) => setTimeout(resolve, 3000));
    costs.note(outrun('c', 6));
    await proxy.open();
    await eventually(async () => (await costs.between(from, to, ['c']).catch(() => 0n)) === 11n);
  });
});
