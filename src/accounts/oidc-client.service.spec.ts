import { describe, expect, it } from '@jest/globals';
import { emailOf, nameOf, toIdentity } from './oidc-client.service.js';

const identity = (claims: object) => toIdentity({ iss: 'https://login.example.com', sub: 's', ...claims }, 'groups');

describe('an identity', () => {
  it.each([
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    ['a', ['a']],
    [['a', 5, null, { b: 1 }], ['a']],
    [[], []],
    [undefined, null],
    [null, null],
    [{ a: true }, null],
  ])('has these groups of %j: %j', (groups, expected) => {
    expect(identity({ groups }).groups).toEqual(expected);
  });

  it('reads groups from the configured claim', () => {
    const claims = { iss: 'i', sub: 's', groups: ['a'], 'https://example.com/groups': ['b'] };
    expect(toIdentity(claims, 'https://example.com/groups').groups).toEqual(['b']);
  });

  it.each([
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
    [1, null],
    ['yes', null],
    [undefined, null],
  ])('an identity with email_verified: %j has a verified address: %j', (claim, expected) => {
    expect(identity({ email_verified: claim }).emailVerified).toBe(expected);
  });

  it.each([
    [' Alice@Example.COM ', 'alice@example.com'],
    ['no address', null],
    ['', null],
    [undefined, null],
    [['alice@example.com'], null],
  ])('an identity with the e-mail %j has the address %j', (email, expected) => {
    expect(emailOf(identity({ email }))).toBe(expected);
  });

  it.each([
    [' Alice ', 'Alice'],
    ['A\u0000li\nce', 'Alice'],
    ['x'.repeat(200), 'x'.repeat(100)],
    [undefined, ''],
    [5, ''],
  ])('an identity with the name %j has the name %j', (name, expected) => {
    expect(nameOf(identity({ name }))).toBe(expected);
  });
});
