import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DETECTORS } from './detectors.js';

const MEGABYTE = 1_000_000;
const NAMES = Object.keys(DETECTORS) as (keyof typeof DETECTORS)[];

/** The same in every run. */
let seed = 0;
const random = (): Buffer => createHash('sha256').update(String(seed++)).digest();
const uuid = (hex: string) =>
  [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
const numbers = (length: number, separator: string, most: number) =>
  [...random().subarray(0, length)].map((byte) => byte % most).join(separator);

const GENERATED: Readonly<Record<string, () => string>> = {
  UUIDs: () => uuid(random().toString('hex')),
  hashes: () => `${random().toString('hex')} ${random().toString('hex').slice(0, 32)}`,
  base64: () => Buffer.concat([random(), random(), random(), random()]).toString('base64'),
  'base64 for URLs': () => Buffer.concat([random(), random()]).toString('base64url'),
  'version numbers': () =>
    `v${numbers(4, '.', 200)} ^${numbers(3, '.', 40)} ${numbers(3, '.', 30)}-rc.1 ${numbers(2, '.', 99)}`,
  times: () =>
    `${new Date(1.6e12 + random().readUInt32BE() * 50).toISOString()} ${1.5e12 + random().readUInt32BE() * 80}`,
  'decimal numbers': () => `${random().readUInt32BE() / 7919} ${random().readUInt32BE()}`,
};

/** Prose and code: what is installed, without the tests of validators, which have examples of all kinds. */
const PACKAGES =
  '@nestjs @types commander express jose openid-client pg playwright-core rxjs stripe typeorm undici yaml'.split(' ');
const ROOT = path.resolve('node_modules');

function* textsIn(folder: string, depth = 0): Iterable<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory() && depth < 6 && entry.name !== 'tests') yield* textsIn(file, depth + 1);
    else if (entry.isFile() && /\.(?:md|[cm]?js|ts|json|txt)$|^LICEN[CS]E/.test(entry.name))
      yield readFileSync(file, 'utf8');
  }
}

const foundIn = (texts: Iterable<string>, name: keyof typeof DETECTORS): string[] => {
  const found: string[] = [];
  for (const text of texts) {
    for (const { start, end } of DETECTORS[name].find(text)) found.push(text.slice(Math.max(0, start - 20), end + 10));
  }
  return found;
};

describe.each(Object.entries(GENERATED))('In half a megabyte of %s', (_name, make) => {
  const lines: string[] = [];
  beforeAll(() => {
    for (let length = 0; length < MEGABYTE / 2; length += (lines.at(-1) ?? '').length + 1) lines.push(make());
  });

  it.each(NAMES)('the detector %s finds nothing', (name) => {
    expect(foundIn([lines.join('\n')], name)).toEqual([]);
  });
});

/** In digits of any length, one number in 400 is one that a card can have. */
it('In half a megabyte of random digits, payment_card has at most 150 false hits, and the others have none', () => {
  const lines: string[] = [];
  for (let length = 0; length < MEGABYTE / 2; length += (lines.at(-1) ?? '').length + 1) {
    lines.push(String(random().readBigUInt64BE() % 10n ** BigInt(4 + (seed % 15))));
  }
  const text = lines.join('\n');
  expect(foundIn([text], 'payment_card').length).toBeLessThanOrEqual(150);
  for (const name of NAMES) if (name !== 'payment_card') expect([name, foundIn([text], name)]).toEqual([name, []]);
});

describe('In six megabytes of prose and code', () => {
  const texts: string[] = [];
  beforeAll(() => {
    let size = 0;
    for (const name of PACKAGES) {
      let own = 0;
      for (const text of textsIn(path.join(ROOT, name))) {
        if (text.length > MEGABYTE / 2) continue;
        texts.push(text);
        own += text.length;
        if (own > MEGABYTE) break;
      }
      size += own;
    }
    expect(size).toBeGreaterThan(6 * MEGABYTE);
  });

  it.each(NAMES.filter((name) => name !== 'email' && name !== 'ip_address'))(
    'the detector %s finds nothing',
    (name) => {
      // An example in a guide of Playwright, which is a valid number.
      expect(foundIn(texts, name).filter((found) => !found.includes('4111111111111111'))).toEqual([]);
    },
  );

  /** Object identifiers (`1.3.101.110`) have the form of an address; the others are addresses. */
  it('the detectors email and ip_address find addresses', () => {
    for (const found of foundIn(texts, 'email')) expect(found).toMatch(/@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}/i);
    const other = foundIn(texts, 'ip_address').filter((found) => !/['"`[=@/(:, ]\W?[\da-f:.]{3,}/i.test(found));
    expect(other.length).toBeLessThanOrEqual(10);
  });
});
