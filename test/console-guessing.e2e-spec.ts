import { describe, expect, it } from '@jest/globals';
import { SignInLimitsService } from '../src/accounts/sign-in-limits.service.js';
import { browserOf, signIn, WRONG } from './support/sign-in.js';
import { TestGateway, type TestPerson } from './support/test-gateway.js';

const gateway = await TestGateway.start({ config: { 'gateway.yaml': 'server: { trustProxy: [127.0.0.0/8] }' } });

const browser = (address?: string) => browserOf(gateway, address);

describe('guessing passwords', () => {
  const wrong = (person: TestPerson) => ({ ...person, password: 'wrong' });
  const exhaust = (like: string) =>
    gateway.database.query('UPDATE sign_in_limits SET points = 100 WHERE key LIKE $1', [like]);

  it('ends after ten attempts at an account from one address, also for the right password; the owner can sign in from elsewhere', async () => {
    const person = await gateway.createPerson();
    const guesser = browser('192.0.2.7');
    for (let i = 0; i < 10; i++) expect(await signIn(guesser, wrong(person))).toMatchObject(WRONG);
    const refused = await signIn(guesser, person);
    const seconds = Number(refused.retryAfter);
    expect(refused).toMatchObject({
      status: 429,
      code: 'too_many_attempts',
      message: `Too many attempts. Try again in ${seconds} seconds.`,
    });
    expect(seconds).toBeGreaterThan(800);
    expect(seconds).toBeLessThanOrEqual(900);
    expect((await signIn(browser(), person)).status).toBe(200);
  });

  it('gains nothing by concurrent guesses', async () => {
    const person = await gateway.createPerson();
    const guesser = browser();
    const replies = await Promise.all(Array.from({ length: 30 }, () => signIn(guesser, wrong(person))));
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(20);
  });

  it('is reset by the right password', async () => {
    const person = await gateway.createPerson();
    const client = browser();
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 9; i++) expect(await signIn(client, wrong(person))).toMatchObject(WRONG);
      expect((await signIn(client, person)).status).toBe(200);
    }
  });

  it('ends after a hundred attempts from one address at any accounts; an IPv6 /64 counts as one address', async () => {
    const person = await gateway.createPerson();
    expect(await signIn(browser('2001:db8:1:2::1'), wrong(person))).toMatchObject(WRONG);
    await exhaust('client:2001:db8:1:2::/64');
    expect((await signIn(browser('2001:db8:1:2:ffff::9'), await gateway.createPerson())).status).toBe(429);
    expect((await signIn(browser('2001:db8:1:3::1'), person)).status).toBe(200);
  });

  it('does not lock out the owner on a client that the account was used from', async () => {
    const person = await gateway.createPerson();
    const home = browser('192.0.2.50');
    expect((await signIn(home, person)).status).toBe(200);
    expect(await signIn(browser(), wrong(person))).toMatchObject(WRONG);
    await exhaust('account:%');
    expect((await signIn(browser(), person)).status).toBe(429);
    expect((await signIn(home, person)).status).toBe(200);
  });

  it('not even after guesses at other accounts from that client', async () => {
    const person = await gateway.createPerson();
    const home = browser('192.0.2.60');
    expect((await signIn(home, person)).status).toBe(200);
    expect(await signIn(home, wrong(await gateway.createPerson()))).toMatchObject(WRONG);
    await exhaust('client:192.0.2.60');
    expect((await signIn(home, await gateway.createPerson())).status).toBe(429);
    expect((await signIn(home, person)).status).toBe(200);
  });

  it('no longer affects the owner after a new password is set', async () => {
    const [person, other] = [await gateway.createPerson(), await gateway.createPerson()];
    const client = browser('192.0.2.61');
    for (const one of [person, other]) expect(await signIn(client, wrong(one))).toMatchObject(WRONG);
    await exhaust('account:%');
    await exhaust('pair:%');
    expect((await signIn(client, person)).status).toBe(429);
    await gateway.services.get(SignInLimitsService).forget(person.email);
    expect((await signIn(client, person)).status).toBe(200);
    expect((await signIn(client, other)).status).toBe(429);
  });

  it('is counted in the database under names that do not reveal an account', async () => {
    const rows = await gateway.database.query<{ key: string }>('SELECT key FROM sign_in_limits');
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter(({ key }) => key.includes('@') || key.includes('example'))).toEqual([]);
  });
});
