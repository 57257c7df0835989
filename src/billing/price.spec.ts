import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { costOf, periodAt, toPrice } from './price.js';

const tokens = fc.nat(2_000_000);
/** Dollars in steps of a nano-dollar, as a price list may have them. */
const nanodollars = fc.bigInt({ min: 0n, max: 1_000_000_000_000n });
const counts = (input: number, cached: number, output: number) => ({ input, cached, output, reasoning: 0 });
const price = (input: bigint, cachedInput: bigint, output: bigint) => ({
  ...toPrice({ inputUsdPerMTok: 0, outputUsdPerMTok: 0 }),
  input,
  cachedInput,
  output,
});

describe('a price', () => {
  it.each([
    [0.2, 200_000_000n],
    [0.1 + 0.2, 300_000_000n],
    [0.000000001, 1n],
    [1_000_000, 1_000_000_000_000_000n],
    [0, 0n],
  ])('a price of %d dollars is exactly %d nano-dollars', (usd, expected) => {
    expect(toPrice({ inputUsdPerMTok: usd, outputUsdPerMTok: 0 }).input).toBe(expected);
  });

  it('is exact for every amount with up to nine decimal places', () => {
    fc.assert(
      fc.property(nanodollars, (amount) => {
        const digits = String(amount).padStart(10, '0');
        const usd = Number(`${digits.slice(0, -9)}.${digits.slice(-9)}`);
        expect(toPrice({ inputUsdPerMTok: 0, outputUsdPerMTok: usd }).output).toBe(amount);
      }),
    );
  });

  it('a price for cached tokens is the input price by default', () => {
    expect(toPrice({ inputUsdPerMTok: 3, outputUsdPerMTok: 1 }).cachedInput).toBe(3_000_000_000n);
    expect(toPrice({ inputUsdPerMTok: 3, cachedInputUsdPerMTok: 0, outputUsdPerMTok: 1 }).cachedInput).toBe(0n);
  });

  it('is paid if anything has a price, also if no tokens have', () => {
    const free = { inputUsdPerMTok: 0, outputUsdPerMTok: 0 };
    expect(toPrice({ ...free, hostedTools: { web_search: 0 } }).isPaid).toBe(false);
    expect(toPrice({ ...free, hostedTools: { web_search: 0.01 } }).isPaid).toBe(true);
    expect(toPrice({ ...free, audioOutputUsdPerMTok: 1 }).isPaid).toBe(true);
    expect(toPrice({ ...free, outputUsdPerMTok: 1 }).isPaid).toBe(true);
  });

  it('has a version that changes with each of its numbers and nothing else', () => {
    const base = { inputUsdPerMTok: 3, cachedInputUsdPerMTok: 1, outputUsdPerMTok: 2 };
    const versions = [
      base,
      { ...base, inputUsdPerMTok: 4 },
      { ...base, cachedInputUsdPerMTok: 2 },
      { ...base, outputUsdPerMTok: 3 },
    ].map((one) => toPrice(one).version);
    expect(new Set(versions).size).toBe(4);
    expect(toPrice({ ...base }).version).toBe(versions[0]);
  });
});

describe('the price of a long prompt', () => {
  const stepped = toPrice({
    ...{ inputUsdPerMTok: 2, cachedInputUsdPerMTok: 0.2, outputUsdPerMTok: 10 },
    above: [
      { inputTokens: 500_000, inputUsdPerMTok: 8, outputUsdPerMTok: 20 },
      { inputTokens: 200_000, inputUsdPerMTok: 4, cachedInputUsdPerMTok: 0.4, outputUsdPerMTok: 15 },
    ],
  });

  it.each([
    [200_000, 2, 0.2, 10],
    [200_001, 4, 0.4, 15],
    [500_000, 4, 0.4, 15],
    [500_001, 8, 8, 20],
  ])(
    'the price of a long prompt of %i tokens applies to all tokens of the call',
    (input, usd, cachedUsd, outputUsd) => {
      const cost = costOf(counts(input, 1000, 100), stepped);
      expect(Number(cost)).toBeCloseTo(
        (input - 1000) * usd * 1000 + 1000 * cachedUsd * 1000 + 100 * outputUsd * 1000,
        3,
      );
    },
  );

  it('belongs to the version of the price', () => {
    const base = { inputUsdPerMTok: 2, outputUsdPerMTok: 10 };
    const step = { inputTokens: 100, inputUsdPerMTok: 4, outputUsdPerMTok: 10 };
    const versions = [
      base,
      { ...base, above: [step] },
      { ...base, above: [{ ...step, inputTokens: 200 }] },
      { ...base, above: [{ ...step, outputUsdPerMTok: 11 }] },
      { ...base, cacheWriteUsdPerMTok: { '30m': 3 } },
      { ...base, cacheWriteUsdPerMTok: { '12h': 3 } },
    ].map((one) => toPrice(one).version);
    expect(new Set(versions).size).toBe(versions.length);
  });
});

describe('tokens written to a cache', () => {
  it('cost the stated price of their lifetime, else 1.25 or 2 times the input price', () => {
    const nano = toPrice({ inputUsdPerMTok: 1, outputUsdPerMTok: 1, cacheWriteUsdPerMTok: { '30m': 1.5, '12h': 3 } });
    const cost = (lifetime: string) => costOf({ ...counts(1000, 0, 0), cacheWrites: { [lifetime]: 400 } }, nano);
    expect(['5m', '30m', '1h', '12h'].map(cost)).toEqual(
      [1250n, 1500n, 2000n, 3000n].map((each) => 600_000n + 400n * each),
    );
    expect(nano.cacheLifetimes).toEqual(['30m', '12h']);
  });
});

describe('a price that ends', () => {
  const price = { inputUsdPerMTok: 1, outputUsdPerMTok: 1 };
  const [first, second] = [
    { until: 100, price },
    { until: null, price: { ...price, inputUsdPerMTok: 2 } },
  ];

  it('is followed by the next one at that instant', () => {
    expect(periodAt([first, second], 99)).toBe(first);
    expect(periodAt([first, second], 100)).toBe(second);
  });

  it('remains if none follows', () => {
    expect(periodAt([first], 1000)).toBe(first);
  });
});

describe('the cost of a call', () => {
  it('is the sum of its tokens at their prices', () => {
    const nano = toPrice({ inputUsdPerMTok: 0.2, cachedInputUsdPerMTok: 0.02, outputUsdPerMTok: 1.25 });
    expect(costOf(counts(1000, 400, 50), nano)).toBe(600n * 200n + 400n * 20n + 50n * 1250n);
  });

  it.each([
    [499_999n, 0n],
    [500_000n, 1n],
    [1_499_999n, 1n],
    [1_500_000n, 2n],
  ])('the cost of a call of %d millionths of a nano-dollar is rounded half up to %d', (perMillion, expected) => {
    expect(costOf(counts(1, 0, 0), price(perMillion, 0n, 0n))).toBe(expected);
  });

  it('is rounded once, over all tokens together', () => {
    expect(costOf(counts(2, 1, 1), price(400_000n, 400_000n, 400_000n))).toBe(1n);
  });

  it('differs from the exact sum by at most half a nano-dollar, for any amount', () => {
    fc.assert(
      fc.property(tokens, tokens, tokens, nanodollars, nanodollars, nanodollars, (a, b, out, pi, pc, po) => {
        const [input, cached] = [Math.max(a, b), Math.min(a, b)];
        const exact = BigInt(input - cached) * pi + BigInt(cached) * pc + BigInt(out) * po;
        const rest = costOf(counts(input, cached, out), price(pi, pc, po)) * 1_000_000n - exact;
        expect(rest > -500_000n && rest <= 500_000n).toBe(true);
      }),
    );
  });

  it('never includes more cached tokens than input', () => {
    expect(costOf(counts(10, 25, 0), price(2_000_000n, 1_000_000n, 0n))).toBe(10n);
  });

  it('never decreases with more tokens', () => {
    fc.assert(
      fc.property(tokens, tokens, fc.nat(1000), nanodollars, (input, output, more, each) => {
        const one = price(each, each, each);
        expect(costOf(counts(input + more, 0, output), one) >= costOf(counts(input, 0, output), one)).toBe(true);
      }),
    );
  });
});
