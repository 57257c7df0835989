import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { allOf } from '../../test/support/all-of.js';
import { createMigratedDatabase } from '../../test/support/test-database.js';
import { startServices } from '../../test/support/test-services.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { UsersService } from '../accounts/users.service.js';
import { GATEWAY } from '../audit/audit.types.js';
import { NotFoundError, UsageError } from '../common/usage.error.js';
import { hashApiKey, newApiKey } from './api-key.secret.js';
import type { CreatedApiKey, NewApiKey } from './api-key.types.js';
import { ApiKeysService } from './api-keys.service.js';
import { AuthModule } from './auth.module.js';
import { CallersService } from './callers.service.js';
import { KeyListService } from './key-list.service.js';
import { PlaygroundKeysService } from './playground-keys.service.js';

const DAY_MS = 86_400_000;

const database = await createMigratedDatabase();
const services = await startServices(database.url, AccountsModule, AuthModule);
const keys = services.get(ApiKeysService);
const playgroundKeys = services.get(PlaygroundKeysService);
const owner: string = await newUser('owner@example.com');
const other: string = await newUser('other@example.com');

async function newUser(email: string): Promise<string> {
  return (await services.get(UsersService).create({ email }, GATEWAY)).id;
}

function create(input: Partial<NewApiKey> = {}): Promise<CreatedApiKey> {
  return keys.create({ userId: owner, name: 'laptop', ...input }, GATEWAY);
}

function auditOf(id: string): Promise<{ action: string; before: object | null; after: object | null }[]> {
  return database.query('SELECT action, before, after FROM audit_log WHERE target_id = $1 ORDER BY id', [id]);
}

const callerOf = async (key: string) => services.get(CallersService).find(hashApiKey(key));
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

describe('an API key is refused', () => {
  it.each([
    ['without a name', { name: '  ' }, 'name'],
    ['with a name of two lines', { name: 'a\nb' }, 'name'],
    ['with a name of 101 characters', { name: 'x'.repeat(101) }, 'name'],
    ['with a key in its name', { name: `my ${newApiKey()}` }, 'name'],
    ['with a key in its note', { note: newApiKey() }, 'note'],
    ['with a note of 501 characters', { note: 'x'.repeat(501) }, 'note'],
    ['that has expired before it is made', { expiresAt: inDays(-1) }, 'expiresAt'],
    ['for no model', { models: [] }, 'models'],
    ['for no address', { addresses: [] }, 'addresses'],
    ['for what is no address', { addresses: ['10.0.0.0/8', '10.0.0.0/33'] }, 'addresses[1]'],
  ] as const)('%s, by the name of the field', async (_, input, field) => {
    const mutable: Partial<NewApiKey> = { ...(input as Partial<NewApiKey>) };
    await expect(create(mutable)).rejects.toMatchObject({ name: 'UsageError', field });
    const { id } = await create();
    await expect(keys.update({ id }, mutable, GATEWAY)).rejects.toMatchObject({ name: 'UsageError', field });
  });
});

describe('a change of a key', () => {
  it('takes effect, and the audit log records the values before and after', async () => {
    const { id } = await create({ note: 'old' });
    const changes = { name: ' desk ', note: 'new', models: ['a', 'b', 'a'], addresses: ['10.0.0.1'] };
    const expected = { name: 'desk', note: 'new', models: ['a', 'b'], addresses: ['10.0.0.1'] };
    expect(await keys.update({ id }, changes, GATEWAY)).toMatchObject(expected);
    expect(await keys.get({ id })).toMatchObject(expected);
    expect((await auditOf(id))[1]).toEqual({
      action: 'key.update',
      before: { name: 'laptop', note: 'old', models: null, addresses: null },
      after: expected,
    });
  });

  it('a change of a key that changes nothing adds no entry to the audit log', async () => {
    const { id, name, expiresAt } = await create({ expiresAt: inDays(3) });
    await keys.update({ id }, { name, expiresAt, disabled: false }, GATEWAY);
    expect(await auditOf(id)).toHaveLength(1);
  });

  it('is written together with its entry or not at all', async () => {
    const { id } = await create();
    const broken = { ...GATEWAY, kind: 'somebody' } as unknown as typeof GATEWAY;
    await expect(keys.update({ id }, { name: 'other' }, broken)).rejects.toThrow();
    await expect(keys.rotate({ id }, 'none', broken)).rejects.toThrow();
    await expect(keys.revoke({ id }, broken)).rejects.toThrow();
    expect(await keys.get({ id })).toMatchObject({ name: 'laptop', status: 'active' });
  });

  it('can reactivate an expired key', async () => {
    const { id, key } = await create({ expiresAt: inDays(1) });
    await database.query('UPDATE api_keys SET expires_at = now() WHERE id = $1', [id]);
    expect(await callerOf(key)).toBeNull();
    expect(await keys.get({ id })).toMatchObject({ status: 'expired' });
    await keys.update({ id }, { expiresAt: inDays(1) }, GATEWAY);
    expect(await keys.get({ id })).toMatchObject({ status: 'active' });
  });

  it('disables and enables it, with an entry each', async () => {
    const { id } = await create();
    expect(await keys.update({ id }, { disabled: true }, GATEWAY)).toMatchObject({ status: 'disabled' });
    expect(await keys.update({ id }, { disabled: false }, GATEWAY)).toMatchObject({
      status: 'active',
      disabledAt: null,
    });
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(['key.create', 'key.disable', 'key.enable']);
  });

  it('is rejected once the key is revoked; revoking it again changes nothing', async () => {
    const { id } = await create();
    const { revokedAt } = await keys.revoke({ id }, GATEWAY);
    expect(await keys.revoke({ id }, GATEWAY)).toMatchObject({ status: 'revoked', revokedAt });
    await expect(keys.update({ id }, { name: 'again' }, GATEWAY)).rejects.toThrow(UsageError);
    await expect(keys.rotate({ id }, 'none', GATEWAY)).rejects.toThrow(UsageError);
    expect(await auditOf(id)).toHaveLength(2);
  });
});

describe('a key of another user', () => {
  it('is reported as not found, like an unknown or invalid id', async () => {
    const { id } = await create();
    for (const ref of [{ id, ownerId: other }, { id: randomUUID() }, { id: `${id}'--` }]) {
      const attempts = [
        keys.get(ref),
        keys.update(ref, { name: 'mine' }, GATEWAY),
        keys.rotate(ref, '24h', GATEWAY),
        keys.revoke(ref, GATEWAY),
      ];
      for (const attempt of attempts) {
        await expect(attempt).rejects.toThrow(new NotFoundError('There is no key with this id.'));
      }
    }
    expect(await keys.get({ id, ownerId: owner })).toMatchObject({ name: 'laptop', status: 'active' });
  });
});

describe('a rotated key', () => {
  it('is valid with its new secret, and with the old one until the overlap ends', async () => {
    const { id, key, display } = await create();
    const rotated = await keys.rotate({ id }, '1h', GATEWAY);
    expect(rotated).toMatchObject({ id, previous: { display }, status: 'active' });
    expect(rotated.key).not.toBe(key);
    expect(await callerOf(rotated.key)).toMatchObject({ caller: { keyId: id }, keyExpiresAt: null });
    const { keyExpiresAt } = (await callerOf(key)) ?? {};
    expect(Math.abs((keyExpiresAt ?? 0) - Date.now() - 3_600_000)).toBeLessThan(5000);
  });

  it('is not valid with the old secret without an overlap', async () => {
    const { id, key } = await create();
    const rotated = await keys.rotate({ id }, 'none', GATEWAY);
    expect(rotated.previous).toBeNull();
    expect(await callerOf(key)).toBeNull();
    expect(await callerOf(rotated.key)).toMatchObject({ caller: { keyId: id } });
  });

  it('drops the secret before the last one at its next rotation', async () => {
    const { id, key: first } = await create();
    const { key: second } = await keys.rotate({ id }, '7d', GATEWAY);
    const { key: third } = await keys.rotate({ id }, '7d', GATEWAY);
    expect([await callerOf(first), await callerOf(second), await callerOf(third)]).toEqual([
      null,
      expect.anything(),
      expect.anything(),
    ]);
  });

  it('does not outlive its expiry with its old secret', async () => {
    const expiresAt = inDays(1);
    const { id, key } = await create({ expiresAt });
    const { previous } = await keys.rotate({ id }, '7d', GATEWAY);
    expect(previous?.expiresAt).toEqual(expiresAt);
    expect(await callerOf(key)).toMatchObject({ keyExpiresAt: expiresAt.getTime() });
  });

  it('leaves no secret and no hash in the audit log', async () => {
    const { id, key } = await create();
    const { key: second, display } = await keys.rotate({ id }, '24h', GATEWAY);
    const log = JSON.stringify(await auditOf(id));
    expect(log).toContain(display);
    for (const secret of [key, second]) {
      expect(log).not.toContain(secret.slice(0, 12));
      expect(log).not.toContain(hashApiKey(secret));
      expect(log).not.toContain(Buffer.from(hashApiKey(secret), 'base64url').toString('hex'));
    }
  });
});

describe('a playground key', () => {
  it('calls as its user for 15 minutes, and is not listed, counted or changed', async () => {
    const user = await newUser('player@example.com');
    const { key, keyId, expiresAt } = await playgroundKeys.create(user);
    expect(Math.abs(expiresAt.getTime() - Date.now() - 15 * 60_000)).toBeLessThan(5000);
    expect(await callerOf(key)).toMatchObject({ caller: { keyId, userId: user }, keyExpiresAt: expiresAt.getTime() });
    const listed = await allOf(services.get(KeyListService).batches());
    expect(listed.some(({ key: { id } }) => id === keyId)).toBe(false);
    expect(await keys.countActiveByUser([user])).toEqual(new Map());
    await expect(keys.get({ id: keyId })).rejects.toThrow(NotFoundError);
  });

  it('uses one row per user for concurrent requests; the previous secret stays valid until it expires', async () => {
    const user = await newUser('tabs@example.com');
    const first = await playgroundKeys.create(user);
    const second = await playgroundKeys.create(user);
    expect(second.keyId).toBe(first.keyId);
    expect(await callerOf(first.key)).toMatchObject({ keyExpiresAt: first.expiresAt.getTime() });
    await Promise.all(Array.from({ length: 5 }, () => playgroundKeys.create(user)));
    expect(await database.query('SELECT id FROM api_keys WHERE user_id = $1', [user])).toHaveLength(1);
    expect(await callerOf(first.key)).toBeNull();
  });
});

it('counts the usable keys of each user', async () => {
  const [some, none] = [await newUser('some@example.com'), await newUser('none@example.com')];
  await create({ userId: some });
  await create({ userId: some, expiresAt: inDays(1) });
  const { id: disabled } = await create({ userId: some });
  const { id: revoked } = await create({ userId: some });
  const { id: expired } = await create({ userId: some });
  await keys.update({ id: disabled }, { disabled: true }, GATEWAY);
  await keys.revoke({ id: revoked }, GATEWAY);
  await database.query("UPDATE api_keys SET expires_at = now() - interval '1 s' WHERE id = $1", [expired]);
  expect(await keys.countActiveByUser([some, none])).toEqual(new Map([[some, 2]]));
  expect(await keys.countActiveByUser([])).toEqual(new Map());
});
