import { beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { createPartitions } from '../../../test/support/ledger-partitions.js';
import { createMigratedDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { startServices } from '../../../test/support/test-services.js';
import { UsageRollupsService } from '../rollups/usage-rollups.service.js';
import { UsageModule } from '../usage.module.js';
import type { UsageQuestion } from '../usage.types.js';
import { UsageReportsService } from '../usage-reports.service.js';

const KEYS = 430;
const QUESTION: UsageQuestion = {
  from: new Date('2026-05-04T00:00:00Z'),
  to: new Date('2026-05-06T00:00:00Z'),
  zone: 'Europe/Berlin',
  granularity: 'day',
  groupBy: 'key',
  compare: false,
};
const keyOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
/** Key n has n calls; later keys have lower costs and times. */
const ranks = (first: number, last: number) =>
  Array.from({ length: Math.abs(first - last) + 1 }, (_, place) => keyOf(first > last ? first - place : first + place));

describe('a report of more groups than it shows', () => {
  let database: TestDatabase;
  let services: INestApplicationContext;
  let reports: UsageReportsService;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    services = await startServices(database.url, UsageModule);
    reports = services.get(UsageReportsService);
    await createPartitions(database, QUESTION.from);
    await insertCalls('2026-05-04T06:10:00Z', 1, KEYS);
    await services.get(UsageRollupsService).rollUp();
    while (await services.get(UsageRollupsService).makeDays(new Date('2026-05-05T00:30:00Z')));
    await insertCalls('2026-05-05T06:10:00Z', 2, KEYS);
    await services.get(UsageRollupsService).rollUp();
    await insertCalls('2026-05-05T23:10:00Z', 3, KEYS);
  });

  /** A third of each key's calls, rounded depending on the part. */
  const insertCalls = (at: string, part: 1 | 2 | 3, keys: number) =>
    database.query(
      `INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status, price_version,
         cost_nanodollars, total_ms)
       SELECT gen_random_uuid(), $1, 1, 'r', ('00000000-0000-4000-8000-' || lpad(key::text, 12, '0'))::uuid,
         ('00000000-0000-4000-8000-' || lpad((key % 7)::text, 12, '0'))::uuid, 'free', 'm', false, 'settled', 'v',
         1000 * ($3::int - key) / key, 10000 / key
       FROM generate_series(1, $3::int) AS key CROSS JOIN generate_series(1, (key + $2::int - 1) / 3)`,
      [at, part, keys],
    );
  const idsOf = (groups: readonly { id: string | null }[]) => groups.map(({ id }) => id);

  it('has the first fifty groups, the number of all groups, and the sum of the others', async () => {
    const { groups, groupCount, others, totals } = await reports.report(QUESTION);
    expect(groupCount).toBe(KEYS);
    expect(idsOf(groups)).toEqual(ranks(KEYS, KEYS - 49));
    expect(totals.requests).toBe((KEYS * (KEYS + 1)) / 2);
    const shown = groups.reduce((sum, { sums }) => sum + sums.requests, 0);
    expect(others).toMatchObject({ requests: totals.requests - shown, p50TotalMs: expect.any(Number) });
    expect(groups[0]?.sums).toMatchObject({ requests: KEYS, p50TotalMs: expect.any(Number) });
  });

  it('is small for any number of groups', async () => {
    const report = await reports.report(QUESTION);
    const size = JSON.stringify(report, (_, value) => (typeof value === 'bigint' ? String(value) : value)).length;
    expect(size).toBeLessThan(80 * 400);
  });

  it('has the others on further pages', async () => {
    const pages = [];
    for (let page = 0; page < 10; page++) pages.push(await reports.groups(QUESTION, page));
    expect(pages.map(({ groupCount }) => groupCount)).toEqual(pages.map(() => KEYS));
    expect(pages.flatMap(({ groups }) => idsOf(groups))).toEqual(ranks(KEYS, 1));
    expect(pages.map(({ groups }) => groups.length)).toEqual([50, 50, 50, 50, 50, 50, 50, 50, 30, 0]);
  });

  it('orders the groups by the requested value', async () => {
    const byTime = await reports.report({ ...QUESTION, rankBy: 'p95TotalMs' });
    expect(byTime.groups[0]).toMatchObject({ id: keyOf(1) });
    expect(byTime.groups).toHaveLength(50);
    const byUser = await reports.report({ ...QUESTION, groupBy: 'user', rankBy: 'costNanodollars' });
    const costs = byUser.groups.map(({ sums }) => sums.costNanodollars);
    expect(costs).toEqual(costs.toSorted((a, b) => Number(b - a)));
    expect(byUser).toMatchObject({ groupCount: 7, others: null });
    expect(costs.reduce((sum, cost) => sum + cost, 0n)).toBe(byUser.totals.costNanodollars);
  });
});
