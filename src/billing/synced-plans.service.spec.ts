import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { createMigratedDatabase } from '../../test/support/test-database.js';
import { startServices } from '../../test/support/test-services.js';
import { GATEWAY } from '../audit/audit.types.js';
import { BillingModule } from './billing.module.js';
import { SyncedPlansService } from './synced-plans.service.js';

const database = await createMigratedDatabase();
const services = await startServices(database.url, BillingModule);

it('writes each change of a synchronized plan to the audit log; a new plan has no former value', async () => {
  const user = randomUUID();
  await database.query('INSERT INTO users (id, email) VALUES ($1, $2)', [user, `${user}@example.com`]);
  const sync = (plans: [string, Date | null][]) =>
    services.get(SyncedPlansService).set(user, 'oidc', new Map(plans), GATEWAY);
  const end = new Date(Date.now() + 3_600_000);
  const unknown = await sync([
    ['pro', null],
    ['missing', null],
  ]);
  expect(unknown).toEqual(['missing']);
  await sync([['pro', end]]);
  await sync([['pro', end]]);
  await sync([]);
  const entries = await database.query(
    `SELECT action, before->>'until' AS until_before, after->>'until' AS until_after, before IS NULL AS is_new
     FROM audit_log WHERE target_id = $1 ORDER BY id`,
    [user],
  );
  const until = end.toISOString();
  expect(entries).toEqual([
    { action: 'plan.grant', until_before: null, until_after: null, is_new: true },
    { action: 'plan.extend', until_before: null, until_after: until, is_new: false },
    { action: 'plan.revoke', until_before: until, until_after: expect.any(String), is_new: false },
  ]);
});
