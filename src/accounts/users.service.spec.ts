import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestingModule } from '@nestjs/testing';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { startServices } from '../../test/support/test-services.js';
import { UsageError } from '../common/usage.error.js';
import { AccountsModule } from './accounts.module.js';
import { UsersService } from './users.service.js';

let database: TestDatabase;
let services: TestingModule;
let users: UsersService;

beforeAll(async () => {
  database = await createTestDatabase();
  services = await startServices(database.url, AccountsModule);
  users = services.get(UsersService);
});
afterAll(async () => {
  await services?.close();
  await database?.drop();
});

describe('an e-mail address', () => {
  it('is one user, however it is written and however many ask at once', async () => {
    const asked = ['One@Example.com', 'one@example.COM ', ' one@example.com'].map((email) => users.create({ email }));
    const made = (await Promise.allSettled(asked)).filter(({ status }) => status === 'fulfilled');
    expect(made).toHaveLength(1);
    expect(await users.getByEmail('ONE@EXAMPLE.COM')).toMatchObject({ email: 'one@example.com' });
  });

  it.each(['', 'nobody', '@', 'a@', '@b', 'a b@c', 'a@b@c', `${'a'.repeat(251)}@b.c`])('is not %j', async (email) => {
    await expect(users.create({ email })).rejects.toThrow(UsageError);
    await expect(users.getByEmail(email)).rejects.toThrow(UsageError);
  });
});

describe('a password', () => {
  it.each(['', 'elevenchars', 'x'.repeat(1025)])('has 12 to 1024 characters', async (password) => {
    await expect(users.create({ email: 'short@example.com', password })).rejects.toThrow('12 to 1024');
    await expect(users.getByEmail('short@example.com')).rejects.toThrow(UsageError);
  });

  it('is nothing that a service account can have', async () => {
    const robot = { email: 'robot@example.com', kind: 'service' as const };
    await expect(users.create({ ...robot, password: 'a long password' })).rejects.toThrow('service account');
    await users.create(robot);
    await expect(users.setPassword(robot.email, 'a long password')).rejects.toThrow('service account');
  });

  it('leaves the service in no form', async () => {
    const user = await users.create({ email: 'p@example.com', password: 'a long password' });
    expect(JSON.stringify([user, await users.list()])).not.toMatch(/argon2|a long password/);
  });
});

describe('a disabled user', () => {
  it('is one since the first time it was said', async () => {
    await users.create({ email: 'd@example.com' });
    const { disabledAt } = await users.setDisabled('d@example.com', true);
    expect(disabledAt).toBeInstanceOf(Date);
    expect((await users.setDisabled('d@example.com', true)).disabledAt).toEqual(disabledAt);
    expect((await users.setDisabled('d@example.com', false)).disabledAt).toBeNull();
  });
});
