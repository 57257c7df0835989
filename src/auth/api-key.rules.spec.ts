import { describe, expect, it } from '@jest/globals';
import { keyRules } from './api-key.rules.js';

const DAY_MS = 86_400_000;
const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS);

describe('the expiry of a key under a policy of 30 days', () => {
  const expiry = (input: Date | null, since = new Date()) => keyRules.expiry(input, since, 30 * DAY_MS, new Date());

  it('counts from the creation of its secret, so that it cannot be extended repeatedly', () => {
    const made = daysFromNow(-20);
    const soon = daysFromNow(9);
    expect(expiry(soon, made)).toBe(soon);
    expect(() => expiry(daysFromNow(11), made)).toThrow('must expire before');
    const later = daysFromNow(29);
    expect(expiry(later)).toBe(later);
  });

  it('is required', () => {
    expect(() => expiry(null)).toThrow('must expire, no later than');
    expect(keyRules.expiry(null, new Date(), null, new Date())).toBeNull();
  });
});
