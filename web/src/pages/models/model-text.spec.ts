import { describe, expect, it } from '@jest/globals';
import { failuresText, priceOptions, priceSteps, speedBasis, speedText, successText } from './model-text';

describe('the figures of a model', () => {
  it('have the share of successful requests, without refused ones', () => {
    expect(successText({ succeeded: 197, errors: 3 })).toBe('98.5%');
    expect(successText({ succeeded: 0, errors: 0 })).toBe('–');
    expect(successText(undefined)).toBe('–');
    expect(failuresText({ errors: 3, refused: 1200 })).toBe('3 failed, 1,200 refused');
    expect(failuresText({ errors: 0, refused: 0 })).toBeNull();
  });

  it('have the speed, and what it is computed from', () => {
    expect(speedText({ tokensPerSecond: 84.26 })).toBe('84.3');
    expect(speedText({ tokensPerSecond: 120.4 })).toBe('120');
    expect(speedText({ tokensPerSecond: null })).toBe('–');
    expect(speedBasis({ streamed: 1 })).toBe('Measured over one streamed request.');
    expect(speedBasis(undefined)).toMatch(/^None of the newest requests was streamed/);
  });
});

const PRICE = {
  inputUsdPerMTok: 5,
  cachedInputUsdPerMTok: 0.5,
  outputUsdPerMTok: 25,
  cacheWriteUsdPerMTok: {},
  above: [],
  until: null,
  serviceTiers: {},
  hostedTools: {},
};

it('the prices of options are shown if they are set', () => {
  expect(priceOptions({ price: PRICE })).toEqual([]);
  const price = {
    ...PRICE,
    cacheWriteUsdPerMTok: { '5m': 6.25, '1h': 0 },
    ...{ serviceTiers: { priority: 2, flex: 0.5 }, hostedTools: { web_search: 0.01 } },
  };
  expect(priceOptions({ price })).toEqual([
    ...['Cache write (5 min) $6.25', 'Cache write (1 h) $0.00', 'Priority × 2', 'Flex × 0.5'],
    'Web search $0.01 per call',
  ]);
});

it('the prices of long prompts are shown with the length from which they apply', () => {
  const step = { inputUsdPerMTok: 4, cachedInputUsdPerMTok: 0.2, outputUsdPerMTok: 15, cacheWriteUsdPerMTok: {} };
  expect(priceSteps({ price: { ...PRICE, above: [{ inputTokens: 272_000, ...step }] } })).toEqual([
    'Over 272,000 input tokens: $4.00 input, $0.20 cached, $15.00 output',
  ]);
});
