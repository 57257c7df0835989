import { describe, expect, it } from '@jest/globals';
import { coreMsOf } from '../../../test/support/core-time.js';
import { newApiKey } from '../../auth/api-key.secret.js';
import type { DetectorName } from '../../config/guard.settings.js';
import type { Detector } from './detector.js';
import { DETECTORS } from './detectors.js';

const detector = (name: string): Detector => DETECTORS[name as DetectorName];
const found = (name: string, text: string): readonly string[] =>
  detector(name)
    .find(text)
    .map(({ start, end }) => text.slice(start, end));

/** Joined, so that this file holds nothing that a scanner takes for a secret. */
const secret = (...parts: readonly string[]): string => parts.join('');
const LETTERS = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6';

/** Texts, each with what is found in it. */
const HITS: Readonly<Record<string, readonly (readonly [text: string, match: string])[]>> = {
  email: [
    ['Write to ada@example.com.', 'ada@example.com'],
    ['<ada.lovelace+tag@mail.example.co.uk>', 'ada.lovelace+tag@mail.example.co.uk'],
    ['jörg@müller.de', 'jörg@müller.de'],
    ["mailto:o'brien@example.org?subject=x", "o'brien@example.org"],
    ['{"to":"ada@example.com"}', 'ada@example.com'],
  ],
  phone: [
    ['Call +49 30 1234567 today', '+49 30 1234567'],
    ['+4915112345678', '+4915112345678'],
    ['+1 (415) 555-2671', '+1 (415) 555-2671'],
    ['(415) 555-2671', '(415) 555-2671'],
    ['415-555-2671', '415-555-2671'],
    ['415.555.2671', '415.555.2671'],
  ],
  payment_card: [
    ['Visa 4111 1111 1111 1111.', '4111 1111 1111 1111'],
    ['4111111111111111', '4111111111111111'],
    ['5555-5555-5555-4444', '5555-5555-5555-4444'],
    ['Amex 3782 822463 10005', '3782 822463 10005'],
    ['6011111111111117', '6011111111111117'],
    ['2223003122003222', '2223003122003222'],
    ['ends 12 2027 4111 1111 1111 1111 123', '4111 1111 1111 1111'],
  ],
  iban: [
    ['IBAN DE89 3704 0044 0532 0130 00 please', 'DE89 3704 0044 0532 0130 00'],
    ['DE89370400440532013000', 'DE89370400440532013000'],
    ['gb29 nwbk 6016 1331 9268 19', 'gb29 nwbk 6016 1331 9268 19'],
    ['DE89-3704-0044-0532-0130-00', 'DE89-3704-0044-0532-0130-00'],
    ['FR1420041010050500013M02606', 'FR1420041010050500013M02606'],
  ],
  ip_address: [
    ['from 192.168.1.10 to', '192.168.1.10'],
    ['8.8.8.8', '8.8.8.8'],
    ['203.0.113.7:8080', '203.0.113.7'],
    ['2001:db8::ff00:42:8329', '2001:db8::ff00:42:8329'],
    ['fe80:0000:0000:0000:0202:b3ff:fe1e:8329', 'fe80:0000:0000:0000:0202:b3ff:fe1e:8329'],
  ],
  us_ssn: [
    ['SSN 536-22-1234', '536-22-1234'],
    ['536 22 1234', '536 22 1234'],
  ],
  credentials: [
    secret('AKIA', 'IOSFODNN7EXAMPLE'),
    secret('AIza', LETTERS.slice(0, 35)),
    secret('ghp_', LETTERS.slice(0, 36)),
    secret('github_pat_', LETTERS.slice(0, 22), '_', (LETTERS + LETTERS).slice(0, 59)),
    secret('glpat-', LETTERS.slice(0, 20)),
    secret('xoxb-', '123456789012-', LETTERS.slice(0, 24)),
    secret('sk_live_', LETTERS.slice(0, 24)),
    secret('sk-proj-', LETTERS),
    secret('sk-ant-api03-', LETTERS, LETTERS),
    secret('-----BEGIN RSA PRIVATE ', 'KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----'),
    secret('eyJhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxMjM0NTY3ODkwIn0.', LETTERS.slice(0, 43)),
    newApiKey(),
  ].map((text) => [`token: "${text}"`, text] as const),
};

const MISSES: Readonly<Record<string, readonly string[]>> = {
  email: ['@Injectable()', 'icon@2x.png', 'lodash@4.17.21', 'user@localhost', 'a @ b.com', '@example.com', 'x@.com'],
  phone: ['2026-11-27 10:12:13', '1234567', 'v1.2.3', '0.1234567890', '123e4567-e89b-12d3-a456-426614174000', '+1'],
  payment_card: [
    '4111 1111 1111 1112',
    '1700000000000',
    '0000000000000000',
    '123e4567-e89b-12d3-a456-426614174000',
    '3.14159265358979323846',
    '9007199254740993',
    '4006381333931',
  ],
  iban: [
    'ba740dea-f550-4829-afe4-06202b6de5a1',
    'DE89 3704 0044 0532 0130 01',
    'XX89370400440532013000',
    'AB12 CD34',
    'UUID DE89',
  ],
  ip_address: [
    '1.2.3.4',
    'section 24.5.1.1',
    'RFC 9111 §5.2.2.10',
    'version 10.20.30.40',
    '127.0.0.1',
    '300.1.1.1',
    '1.2.3.4.5',
    'std::vector',
    'a::b',
    '12:30:45',
    'aa:bb:cc:dd:ee:ff',
  ],
  us_ssn: ['000-12-3456', '666-12-3456', '900-12-3456', '123-00-4567', '123-45-0000', '2026-11-27', '123456789'],
  credentials: [
    'sk-learn',
    'AKIA',
    'svc_name',
    `svc_${'a'.repeat(38)}`,
    'postgres://localhost/db',
    'https://user:$PASSWORD@host',
    'eyJ',
    'gh_pages',
    secret('-----BEGIN ', 'PRIVATE KEY-----'),
    'secret_key = os.environ',
  ],
};

describe.each(Object.keys(DETECTORS))('The detector %s', (name) => {
  it.each(HITS[name] ?? [])('finds in %j', (text, match) => {
    expect(found(name, text)).toEqual([match]);
  });

  it.each(MISSES[name] ?? [])('finds nothing in %j', (text) => {
    expect(found(name, text)).toEqual([]);
  });

  it.each(HITS[name] ?? [])('keeps the beginning of a match back at every place of %j', (text, match) => {
    const start = text.indexOf(match);
    for (let end = start + 1; end < start + match.length; end++) {
      const cut = text.slice(0, end);
      if (
        detector(name)
          .find(cut)
          .some((one) => one.start === start)
      )
        continue;
      expect([cut, detector(name).openFrom(cut, false)]).toEqual([cut, expect.any(Number)]);
      expect(detector(name).openFrom(cut, false)).toBeLessThanOrEqual(start);
    }
  });

  it.each([
    '4',
    '1 ',
    'a',
    '@',
    'a.@',
    'eyJ-',
    'eyJ.eyJ',
    'sk-',
    'a://b:',
    secret('-----BEGIN ', 'PRIVATE KEY-----'),
    '1.1.1.',
    'a:',
    'DE89 ',
    'AKIA',
    '+1 ',
    '-----',
    '5 4',
    'x1-',
  ])('takes linear time for %j repeated to a megabyte', async (piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    expect(await coreMsOf(() => detector(name).find(text))).toBeLessThan(1000);
  });
});

describe('The detector credentials', () => {
  it('finds a password in a connection string, and leaves the rest of it', () => {
    const text = secret('DATABASE_URL=postgres://app:', 'hunter22', '@db:5432/x');
    expect(found('credentials', text)).toEqual(['hunter22']);
  });

  it('finds an AWS secret key behind its name', () => {
    const key = secret('wJalrXUtnFEMI/K7MDENG', '/bPxRfiCYEXAMPLEKEY');
    expect(found('credentials', `aws_secret_access_key = ${key}\n`)).toEqual([key]);
  });
});
