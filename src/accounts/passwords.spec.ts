import { describe, expect, it } from '@jest/globals';
import { DUMMY_HASH, hashPassword, verifyPassword } from './passwords.js';

const password = 'correct horse battery';

describe('a password', () => {
  it('is stored as argon2id with the parameters in its string', async () => {
    expect(await hashPassword(password)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  });

  it('never gives the same hash twice', async () => {
    expect(await hashPassword(password)).not.toBe(await hashPassword(password));
  });

  it('matches only itself', async () => {
    const phc = await hashPassword(password);
    expect(await verifyPassword(password, phc)).toBe(true);
    for (const other of ['', `${password} `, password.toUpperCase()]) {
      expect(await verifyPassword(other, phc)).toBe(false);
    }
  });

  it('can contain any characters', async () => {
    const phc = await hashPassword('pässwörd \u0000 🔑');
    expect(await verifyPassword('pässwörd \u0000 🔑', phc)).toBe(true);
    expect(await verifyPassword('pässwörd ', phc)).toBe(false);
  });

  it('is checked with the parameters of its string, even if they differ from ours (the RFC 9106 reference)', async () => {
    const phc = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
    expect(await verifyPassword('password', phc)).toBe(true);
    expect(await verifyPassword('differentpassword', phc)).toBe(false);
  });

  it.each(['', 'plain', '$2b$10$abc', '$argon2i$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaA', '$argon2id$v=19$m=8,t=1$x$y'])(
    'does not match %j, which is not a hash',
    async (phc) => {
      expect(await verifyPassword(password, phc)).toBe(false);
    },
  );

  it('is checked in turn: many simultaneous checks all finish', async () => {
    const phc = await hashPassword(password);
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => verifyPassword(i % 2 ? password : 'x', phc)));
    expect(answers).toEqual([false, true, false, true, false, true, false, true]);
  });

  it('is not checked while too many others wait, and is checked again after them', async () => {
    const all = await Promise.allSettled(Array.from({ length: 100 }, () => verifyPassword('x', DUMMY_HASH)));
    const refused = all.filter((result) => result.status === 'rejected');
    expect(refused.length).toBe(100 - 2 - 64);
    for (const { reason } of refused) expect(reason).toMatchObject({ status: 503, body: { code: 'overloaded' } });
    expect(await verifyPassword('x', DUMMY_HASH)).toBe(false);
  });
});
