import { describe, expect, it } from '@jest/globals';
import { type KeyState, stateOf, wordsFor } from './key-state';
import type { KeyView } from './keys-api';

const now = new Date('2026-11-21T12:00:00Z');
const HOUR = 3_600_000;

function key(of: { status?: KeyView['status']; hoursLeft?: number; ownerDisabled?: boolean }): KeyView {
  const expiresAt = of.hoursLeft === undefined ? null : new Date(now.getTime() + of.hoursLeft * HOUR).toISOString();
  return { status: of.status ?? 'active', expiresAt, owner: { disabled: of.ownerDisabled ?? false } } as KeyView;
}

describe('the state of a key', () => {
  it.each<[KeyState, Parameters<typeof key>[0]]>([
    ['active', {}],
    ['active', { hoursLeft: 7 * 24 }],
    ['expiring', { hoursLeft: 7 * 24 - 1 }],
    ['expired', { hoursLeft: 0 }],
    ['expired', { status: 'expired' }],
    ['expired', { hoursLeft: -1, ownerDisabled: true }],
    ['owner-disabled', { hoursLeft: 1, ownerDisabled: true }],
    ['disabled', { status: 'disabled', hoursLeft: -1 }],
    ['revoked', { status: 'revoked', ownerDisabled: true }],
  ])('is %s: %p', (state, of) => {
    expect(stateOf(key(of), now)).toBe(state);
  });

  it('has the time left if that is short', () => {
    expect(wordsFor('expiring', key({ hoursLeft: 48 }), now)).toBe('Expires in 2 d');
    expect(wordsFor('expiring', key({ hoursLeft: 7.9 }), now)).toBe('Expires in 7 h');
    expect(wordsFor('expiring', key({ hoursLeft: 0.001 }), now)).toBe('Expires in 1 min');
    expect(wordsFor('owner-disabled', key({}), now)).toBe('Owner disabled');
    expect(wordsFor('revoked', key({}), now)).toBe('Revoked');
  });
});

it.each([
  [new Date(2026, 10, 25, 9, 0), 'Expires in 4 d'],
  [new Date(2026, 10, 22, 9, 0), 'Expires in 13 h'],
])('the state of a key that expires at %s agrees with the calendar', (expiresAt, words) => {
  const key = { expiresAt: expiresAt.toISOString() } as KeyView;
  expect(wordsFor('expiring', key, new Date(2026, 10, 21, 20, 0))).toBe(words);
});
