import { describe, expect, it } from '@jest/globals';
import { allOf } from '../../test/support/all-of.js';
import { createMigratedDatabase } from '../../test/support/test-database.js';
import { startServices } from '../../test/support/test-services.js';
import { type Actor, COMMAND_LINE, GATEWAY } from '../audit/audit.types.js';
import { UsageError } from '../common/usage.error.js';
import { AccountsModule } from './accounts.module.js';
import { SessionsService } from './sessions.service.js';
import type { NewUser, User, UserWithEmail } from './user.types.js';
import { UsersService } from './users.service.js';

const LONG = 'a long password';

const create = (user: NewUser) => users.create(user, COMMAND_LINE);
const as = ({ id, email }: UserWithEmail): Actor => ({
  kind: 'user',
  id,
  name: email,
  address: '192.0.2.1',
  requestId: 'req_1',
});
const all = () => allOf(users.batches());
const activeAdmins = async () => (await all()).filter(({ role, disabledAt }) => role === 'admin' && !disabledAt);
const entriesOf = (user: User) =>
  database.query('SELECT action, actor_name, before, after, address FROM audit_log WHERE target_id = $1 ORDER BY id', [
    user.id,
  ]);

const database = await createMigratedDatabase();
const services = await startServices(database.url, AccountsModule);
const users = services.get(UsersService);

describe('an e-mail address', () => {
  it('is folded in ASCII only: characters that Unicode folds into ASCII are a different address', async () => {
    const kate = await create({ email: 'Kate@Example.com' });
    const kelvin = await create({ email: '\u212aate@example.com' });
    expect([kate.email, kelvin.email]).toEqual(['kate@example.com', '\u212aate@example.com']);
    expect(await users.getByEmail('KATE@example.COM')).toEqual(kate);
    const accented = await create({ email: '\u00c9mile@example.com' });
    expect(await users.getByEmail('\u00c9MILE@example.com')).toEqual(accented);
  });

  it('is one user, in any spelling and with simultaneous requests', async () => {
    const created = ['One@Example.com', 'one@example.COM ', ' one@example.com'].map((email) => create({ email }));
    const made = (await Promise.allSettled(created)).filter(({ status }) => status === 'fulfilled');
    expect(made).toHaveLength(1);
    expect(await users.getByEmail('ONE@EXAMPLE.COM')).toMatchObject({ email: 'one@example.com' });
  });

  it.each(['', 'nobody', '@', 'a@', '@b', 'a b@c', 'a@b@c', 'a\u0000@b.c', `${'a'.repeat(251)}@b.c`])(
    'cannot be %j',
    async (email) => {
      await expect(create({ email })).rejects.toThrow(UsageError);
      await expect(users.getByEmail(email)).rejects.toThrow(UsageError);
    },
  );
});

describe('a password', () => {
  it.each(['', 'elevenchars', 'x'.repeat(1025)])('has 12 to 1024 characters', async (password) => {
    await expect(create({ email: 'short@example.com', password })).rejects.toThrow('12 to 1024');
    await expect(users.getByEmail('short@example.com')).rejects.toThrow(UsageError);
  });

  it('cannot be set for a service account', async () => {
    const robot = { email: 'robot@example.com', kind: 'service' as const };
    await expect(create({ ...robot, password: LONG })).rejects.toThrow('service account');
    const { id } = await create(robot);
    await expect(users.setPassword(id, LONG, COMMAND_LINE)).rejects.toThrow('service account');
  });

  it('never leaves the service in any form, and is in no audit entry', async () => {
    const user = await create({ email: 'p@example.com', password: LONG });
    await users.setPassword(user.id, `${LONG} too`, COMMAND_LINE);
    expect(JSON.stringify([user, await all()])).not.toMatch(/argon2|a long password/);
    expect(JSON.stringify(await entriesOf(user))).not.toMatch(/argon2|a long password/);
  });
});

describe('a disabled user', () => {
  it('keeps the time at which it was first disabled', async () => {
    await create({ email: 'd@example.com' });
    const { disabledAt } = await users.setDisabled('d@example.com', true, COMMAND_LINE);
    expect(disabledAt).toBeInstanceOf(Date);
    expect((await users.setDisabled('d@example.com', true, COMMAND_LINE)).disabledAt).toEqual(disabledAt);
    expect((await users.setDisabled('d@example.com', false, COMMAND_LINE)).disabledAt).toBeNull();
  });

  it('has no session, even after being enabled again', async () => {
    const user = await create({ email: 'session@example.com' });
    const sessions = services.get(SessionsService);
    const { token } = await sessions.open(user, 'password', { address: null, userAgent: null });
    expect(await sessions.find(token)).not.toBeNull();
    await users.setDisabled(user.email, true, COMMAND_LINE);
    await users.setDisabled(user.email, false, COMMAND_LINE);
    expect(await sessions.find(token)).toBeNull();
  });
});

describe('the audit log', () => {
  it('records each change, its real differences, and the actor', async () => {
    const boss = await create({ email: 'boss@example.com', role: 'admin' });
    const user = await create({ email: 'changed@example.com', name: 'Before' });
    await users.update(user.id, { name: ' After ', role: 'admin' }, as(boss));
    await users.update(user.id, { name: 'After', disabled: false }, as(boss));
    await users.update(user.id, { disabled: true }, as(boss));
    const by = { actor_name: 'boss@example.com', address: '192.0.2.1' };
    expect(await entriesOf(user)).toMatchObject([
      { action: 'user.create', actor_name: 'command line', before: null, after: { name: 'Before', role: 'member' } },
      { action: 'user.update', ...by, before: { name: 'Before' }, after: { name: 'After' } },
      { action: 'user.role', ...by, before: { role: 'member' }, after: { role: 'admin' } },
      { action: 'user.disable', ...by },
    ]);
  });

  it('has no entry of a failed change', async () => {
    const user = await create({ email: 'failed@example.com' });
    await expect(users.update(user.id, { name: 'x'.repeat(101), role: 'admin' }, COMMAND_LINE)).rejects.toThrow();
    const robot = await create({ email: 'no-role@example.com', kind: 'service' });
    await expect(users.update(robot.id, { name: 'New', role: 'admin' }, COMMAND_LINE)).rejects.toThrow('no role');
    expect(await entriesOf(user)).toHaveLength(1);
    expect(await entriesOf(robot)).toHaveLength(1);
  });
});

describe('an administrator', () => {
  it('always remains: if two disable each other, one request fails', async () => {
    const [one, two] = await Promise.all(
      ['first', 'second'].map((name) => create({ email: `${name}@admin.example`, role: 'admin' })),
    );
    if (!one || !two) throw new Error('two were made');
    const results = await Promise.allSettled([
      users.update(one.id, { disabled: true }, as(two)),
      users.update(two.id, { role: 'member' }, as(one)),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { message: 'You are no longer an administrator.' },
    });
    expect(await activeAdmins()).not.toEqual([]);
  });

  it('cannot remove the own role or access by accident', async () => {
    const admin = await create({ email: 'self@admin.example', role: 'admin' });
    for (const change of [{ role: 'member' }, { disabled: true }] as const) {
      await expect(users.update(admin.id, change, as(admin))).rejects.toThrow('Ask another administrator');
    }
    expect(await users.get(admin.id)).toMatchObject({ role: 'admin', disabledAt: null });
  });

  it('an administrator that is the last one cannot be disabled or demoted, except by the command line with --force', async () => {
    const admins = await activeAdmins();
    const last = admins.pop();
    if (!last) throw new Error('there are administrators');
    for (const { email } of admins) await users.setDisabled(email ?? '', true, COMMAND_LINE);
    for (const change of [{ disabled: true }, { role: 'member' }] as const) {
      await expect(users.update(last.id, change, COMMAND_LINE)).rejects.toThrow('is the last administrator');
      await expect(users.update(last.id, change, GATEWAY)).rejects.toThrow('is the last administrator');
    }
    expect(await activeAdmins()).toEqual([last]);
    await users.setDisabled(last.email ?? '', true, COMMAND_LINE, true);
    expect(await activeAdmins()).toEqual([]);
  });

  it('remains when the last two are disabled simultaneously', async () => {
    const pair = await Promise.all(
      ['third', 'fourth'].map((name) => create({ email: `${name}@admin.example`, role: 'admin' })),
    );
    const results = await Promise.allSettled(pair.map(({ email }) => users.setDisabled(email, true, COMMAND_LINE)));
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await activeAdmins()).toHaveLength(1);
  });

  it('cannot be a service account', async () => {
    await expect(create({ email: 'root@robots.example', kind: 'service', role: 'admin' })).rejects.toThrow(
      'cannot sign in',
    );
  });
});

it.each(['', 'nonsense', '00000000-0000-4000-8000-000000000000'])('cannot be found by the id %j', async (id) => {
  expect(await users.find(id)).toBeNull();
  await expect(users.get(id)).rejects.toThrow('The user does not exist.');
  await expect(users.update(id, { name: 'x' }, COMMAND_LINE)).rejects.toThrow('The user does not exist.');
});
