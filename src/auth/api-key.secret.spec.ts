import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { displayApiKey, hashApiKey, isApiKey, newApiKey } from './api-key.secret.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base62 = fc.constantFrom(...BASE62);

describe('a new API key', () => {
  it('is svc_, at least 30 base62 characters and six more', () => {
    for (let i = 0; i < 100; i++) expect(newApiKey()).toMatch(/^svc_[0-9A-Za-z]{30,}[0-9A-Za-z]{6}$/);
  });

  it('ends in the base62 CRC-32 of the rest, so that scanners can check it', () => {
    const key = newApiKey();
    let number = 0;
    for (const digit of key.slice(-6)) number = number * 62 + BASE62.indexOf(digit);
    expect(number).toBe(crc32(key.slice(0, -6)));
  });

  it('is unique, and uses every character about equally often', () => {
    const keys = Array.from({ length: 2000 }, newApiKey);
    expect(new Set(keys).size).toBe(keys.length);
    const counts = new Map<string, number>();
    for (const character of keys.map((key) => key.slice(4, -6)).join('')) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    const expected = (2000 * 32) / 62;
    expect(counts.size).toBe(62);
    for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(6 * Math.sqrt(expected));
  });
});

describe('a text', () => {
  it('is a valid key only if unchanged: one different character or two swapped ones make it invalid', () => {
    fc.assert(
      fc.property(fc.nat(37), base62, (at, character) => {
        const key = newApiKey();
        const index = 4 + at;
        const mistyped = key.slice(0, index) + character + key.slice(index + 1);
        expect(isApiKey(mistyped)).toBe(mistyped === key);
        const swapped = key.slice(0, index - 1) + key.charAt(index) + key.charAt(index - 1) + key.slice(index + 1);
        expect(isApiKey(swapped)).toBe(swapped === key);
      }),
    );
  });

  it.each([
    ['nothing', () => ''],
    ['another prefix', () => newApiKey().replace('svc_', 'sk-_')],
    ['a prefix in capitals', () => newApiKey().replace('svc_', 'SVC_')],
    ['a space behind it', () => `${newApiKey()} `],
    ['a line break behind it', () => `${newApiKey()}\n`],
    ['a character missing', () => newApiKey().slice(0, -1)],
    ['only its start', () => newApiKey().slice(0, 20)],
    ['a key of megabytes', () => newApiKey() + 'a'.repeat(5_000_000)],
    ['letters of another alphabet', () => newApiKey().replace(/.{6}$/, 'éééééé')],
  ])('is not a key: %s', (_, text) => {
    expect(isApiKey(text())).toBe(false);
  });
});

describe('a stored or displayed key', () => {
  it('is stored as its SHA-256', () => {
    const key = newApiKey();
    expect(hashApiKey(key)).toBe(createHash('sha256').update(key).digest('base64url'));
  });

  it('is displayed with four characters at each end', () => {
    const key = newApiKey();
    expect(displayApiKey(key)).toBe(`svc_${key.slice(4, 8)}…${key.slice(-4)}`);
  });
});
