import { describe, expect, it } from '@jest/globals';
import { createMigratedDatabase } from '../../../test/support/test-database.js';
import { startServices } from '../../../test/support/test-services.js';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { UsersService } from '../../accounts/users.service.js';
import { type Actor, COMMAND_LINE, GATEWAY } from '../../audit/audit.types.js';
import { hashApiKey } from '../../auth/api-key.secret.js';
import { ApiKeysService } from '../../auth/api-keys.service.js';
import { AuthModule } from '../../auth/auth.module.js';
import { CallersService } from '../../auth/callers.service.js';
import { NO_LIMITS } from '../values/limit-values.js';
import { KeyLimitsService, UserLimitsService } from './limit-settings.service.js';

const database = await createMigratedDatabase();
const services = await startServices(database.url, AccountsModule, AuthModule);
const keys = services.get(ApiKeysService);
const limits = services.get(KeyLimitsService);
const userId: string = (await services.get(UsersService).create({ email: 'owner@example.com' }, GATEWAY)).id;
const owner: Actor = { kind: 'user', id: userId, name: 'owner@example.com', address: null, requestId: null };
await services.get(UserLimitsService).set(userId, { requestsPerMinute: 60, budgetDayNanodollars: 100n }, GATEWAY);

const ownOf = async (id: string) => (await limits.of([id])).get(id);

describe("a key's own limits", () => {
  it("are set with the key or later, in addition to the owner's, and recorded in the audit log", async () => {
    const set = { concurrentCalls: 2, budgetTotalNanodollars: 7_000_000_000n };
    const key = await keys.create({ userId, name: 'ci', limits: set }, owner);
    const caller = async () => (await services.get(CallersService).find(hashApiKey(key.key)))?.caller;
    const ofUser = {
      scope: 'user',
      id: userId,
      values: { ...NO_LIMITS, requestsPerMinute: 60, budgetDayNanodollars: 100n },
    };
    expect((await caller())?.limits).toEqual([ofUser, { scope: 'key', id: key.id, values: { ...NO_LIMITS, ...set } }]);
    await keys.update(
      { id: key.id },
      { name: 'build', limits: { concurrentCalls: null, requestsPerMinute: 60 } },
      owner,
    );
    expect(await ownOf(key.id)).toEqual({
      values: { requestsPerMinute: 60, budgetTotalNanodollars: 7_000_000_000n },
      bounds: {},
    });
    const entries = await database.query('SELECT before, after FROM audit_log WHERE target_id = $1 ORDER BY id', [
      key.id,
    ]);
    expect(entries).toMatchObject([
      { after: { concurrentCalls: 2, budgetTotalUsd: 7 } },
      {
        before: { name: 'ci', concurrentCalls: 2, requestsPerMinute: null },
        after: { name: 'build', concurrentCalls: null, requestsPerMinute: 60 },
      },
    ]);
  });

  it("set by the owner cannot exceed the owner's own", async () => {
    const { id } = await keys.create({ userId, name: 'ci' }, owner);
    const input = { limits: { requestsPerMinute: 61 } };
    const refusal = { name: 'UsageError', field: 'limits.requestsPerMinute' };
    await expect(keys.update({ id, ownerId: userId }, input, owner)).rejects.toMatchObject(refusal);
    await expect(keys.create({ userId, name: 'x', ...input }, owner)).rejects.toMatchObject(refusal);
    await expect(keys.update({ id }, { limits: { budgetDayNanodollars: 101n } }, owner)).rejects.toThrow(
      'Your own limit is 0.0000001 dollars a day',
    );
    await keys.update({ id }, { limits: { budgetMonthNanodollars: 1_000_000n } }, owner);
    await keys.update({ id }, input, COMMAND_LINE);
    expect((await ownOf(id))?.values).toEqual({ requestsPerMinute: 61, budgetMonthNanodollars: 1_000_000n });
  });

  it('set by another user can only be lowered by the owner', async () => {
    const { id } = await keys.create({ userId, name: 'ci', limits: { concurrentCalls: 5 } }, GATEWAY);
    const set = (concurrentCalls: number | null, actor = owner) =>
      keys.update({ id, ...(actor === owner && { ownerId: userId }) }, { limits: { concurrentCalls } }, actor);
    await set(3);
    await set(5);
    const refusal = { field: 'limits.concurrentCalls', message: expect.stringContaining('5 concurrent calls') };
    await expect(set(6)).rejects.toMatchObject(refusal);
    await expect(set(null)).rejects.toMatchObject(refusal);
    expect(await ownOf(id)).toEqual({ values: { concurrentCalls: 5 }, bounds: { concurrentCalls: 5 } });
    await set(null, GATEWAY);
    await set(50);
    expect(await ownOf(id)).toEqual({ values: { concurrentCalls: 50 }, bounds: {} });
  });
});
