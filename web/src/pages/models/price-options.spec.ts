import { expect, it } from '@jest/globals';
import { priceOptions } from './price-options';

const PRICE = {
  inputUsdPerMTok: 5,
  cachedInputUsdPerMTok: 0.5,
  outputUsdPerMTok: 25,
  cacheWrite5mUsdPerMTok: null,
  cacheWrite1hUsdPerMTok: null,
  serviceTiers: {},
  hostedTools: {},
};

it('the prices of options are shown if they are set', () => {
  expect(priceOptions({ price: PRICE })).toEqual([]);
  const price = {
    ...PRICE,
    ...{ cacheWrite5mUsdPerMTok: 6.25, cacheWrite1hUsdPerMTok: 0 },
    ...{ serviceTiers: { priority: 2, flex: 0.5 }, hostedTools: { web_search: 0.01 } },
  };
  expect(priceOptions({ price })).toEqual([
    ...['Cache write (5 min) $6.25', 'Cache write (1 h) $0.00', 'priority × 2', 'flex × 0.5'],
    'web_search $0.01 per call',
  ]);
});
