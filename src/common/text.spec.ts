import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chatText, toNanodollars, toUsd } from './text.js';

/** What Slack, Discord, Mattermost and Teams would make a mention or a link of. */
const MARKUP = /<[!@#]|<\w+[:>]|@(everyone|here|channel|all\b)|(^|[^\w.+-])@\w|\]\(|:\/\//i;

describe('a name in the text of an alert', () => {
  it.each([
    '<!everyone>',
    '<!subteam^S123|team>',
    '<@U123>',
    '<#C123>',
    '<https://evil.example|text>',
    '<at>Ada</at>',
    '[text](https://evil.example)',
    '![text](https://evil.example)',
    'https://evil.example/sign-in',
    '@channel',
    'x@here',
    '@Everyone',
    '@all',
    '@ada',
    '"@ada',
    'someone@everyone.example',
    '<@&123456789012345678>',
  ])('causes no mention or link: %s', (name) => {
    expect(name).toMatch(MARKUP);
    const text = chatText`The key "${name}" of ${name}.`;
    expect(text).not.toMatch(MARKUP);
    expect(text).not.toContain('<');
    expect(text).not.toContain('>');
  });

  it.each(['ada@example.com', 'laptop of Ada & Bob (50 %)', 'ci-2', 'allan@allianz.example'])(
    'stays unchanged if harmless: %s',
    (name) => {
      expect(chatText`The key "${name}".`).toBe(`The key "${name}".`);
    },
  );
});

describe('an amount in dollars', () => {
  it.each([
    ['20', 20_000_000_000n],
    ['0.1', 100_000_000n],
    ['0.000000001', 1n],
    ['007.50', 7_500_000_000n],
    ['0', 0n],
    ['123456789.123456789', 123_456_789_123_456_789n],
  ])('%s is exact to the nano-dollar', (usd, expected) => {
    expect(toNanodollars(usd)).toBe(expected);
  });

  it.each(['', '.5', '5.', '-1', '1e3', ' 5', '0.0000000001', '1'.repeat(13)])('rejects %j', (text) => {
    expect(toNanodollars(text)).toBeNull();
  });

  it('is formatted without trailing zeros', () => {
    expect(['20', '0.5', '0', '1.000000001'].map((usd) => toUsd(toNanodollars(usd) ?? -1n))).toEqual([
      ...['20', '0.5', '0', '1.000000001'],
    ]);
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), (amount) => {
        expect(toNanodollars(toUsd(amount))).toBe(amount);
      }),
    );
  });
});
