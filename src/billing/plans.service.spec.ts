import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { createMigratedDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { startServices } from '../../test/support/test-services.js';
import { BillingModule } from './billing.module.js';
import { PlansService } from './plans.service.js';

describe('the plan of a user', () => {
  let database: TestDatabase;
  let services: INestApplicationContext;
  let plans: PlansService;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    services = await startServices(database.url, BillingModule);
    plans = services.get(PlansService);
  });

  /** `grants`: a plan with its start and end, in hours from now. */
  const userWith = async (...grants: [plan: string, starts: number, ends: number | null][]) => {
    const id = randomUUID();
    await database.query('INSERT INTO users (id, email) VALUES ($1, $2)', [id, `${id}@example.com`]);
    for (const [plan, starts, ends] of grants) {
      await database.query(
        `INSERT INTO plan_grants (user_id, plan_id, starts_at, ends_at, source)
         VALUES ($1, $2, now() + $3 * interval '1 h', now() + $4 * interval '1 h', 'test')`,
        [id, plan, starts, ends],
      );
    }
    return id;
  };

  it.each<[string, [string, number, number | null][], string, number | null]>([
    ['was never granted one', [], 'free', null],
    ['has one without an end', [['pro', -1, null]], 'pro', null],
    ['has one that ends', [['pro', -1, 2]], 'pro', 2],
    ['had one', [['pro', -2, -1]], 'free', null],
    ['will have one', [['pro', 3, 4]], 'free', 3],
    [
      'has several',
      [
        ['pro', -1, 5],
        ['pro', 1, 9],
        ['free', -1, 2],
      ],
      'pro',
      1,
    ],
  ])('the plan of a user who %s', async (_, grants, plan, changesIn) => {
    const user = await userWith(...grants);
    const current = await plans.current(user);
    expect(current.plan.id).toBe(plan);
    expect(current.plan.tiers).toEqual(new Set(plan === 'pro' ? ['free', 'pro'] : ['free']));
    if (changesIn === null) expect(current.changesAt).toBeNull();
    else expect(Math.abs((current.changesAt ?? 0) - Date.now() - changesIn * 3_600_000)).toBeLessThan(60_000);
  });

  it('is read with one query, so that a pool of one connection is enough', async () => {
    const user = await userWith(['pro', -1, 2]);
    const dataSource = services.get<DataSource>(getDataSourceToken());
    const queries: string[] = [];
    dataSource.logger.logQuery = (query) => void queries.push(query);
    await plans.current(user);
    expect(queries).toHaveLength(1);
  });
});
