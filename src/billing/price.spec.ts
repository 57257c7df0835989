import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { costOf, toPrice } from './price.js';

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
  ])('of %d dollars is exactly %d nano-dollars', (usd, expected) => {
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

  it('for cached tokens is the input price by default', () => {
    expect(toPrice({ inputUsdPerMTok: 3, outputUsdPerMTok: 1 }).cachedInput).toBe(3_000_000_000n);
    expect(toPrice({ inputUsdPerMTok: 3, cachedInputUsdPerMTok: 0, outputUsdPerMTok: 1 }).cachedInput).toBe(0n);
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
  ])('of %d millionths of a nano-dollar is rounded half up to %d', (perMillion, expected) => {
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
