import { describe, expect, it } from '@jest/globals';
import { toPrice } from '../../billing/price.js';
import { chargeOf } from './charge.js';

describe('the charge of an abandoned call', () => {
  const model = { price: toPrice({ inputUsdPerMTok: 1, outputUsdPerMTok: 10 }), simulated: false };
  const request = { model: 'm', messages: [] };
  const tokens = { input: 100, cached: 0, output: 50, reasoning: 0 };
  const usage = { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 };
  const chargeWith = (reserved: bigint | null, hasReportedPrompt = false) =>
    chargeOf({ usage, isReported: false, basis: 'time', hasReportedPrompt }, tokens, {
      ...{ request, model, reserved },
      isLeft: true,
      isFailed: false,
      servedTier: null,
      hostedCalls: null,
      searchesUnasked: false,
    });

  it('is at most the reservation if it is an estimate, and the rest is recorded', () => {
    expect(chargeWith(400_000n)).toEqual({ nanodollars: 400_000n, notes: { basis: 'time', uncharged: 200_000 } });
  });

  it('is the whole reported prompt if that exceeds the reservation', () => {
    expect(chargeWith(30_000n, true)).toEqual({
      nanodollars: 100_000n,
      notes: { basis: 'time', uncharged: 500_000, overReserved: 70_000, reportedPrompt: 100_000 },
    });
    expect(chargeWith(400_000n, true)).toEqual(chargeWith(400_000n));
  });

  it.each([600_000n, 900_000n, null])('is the whole estimate when %s nano-dollars were reserved', (reserved) => {
    expect(chargeWith(reserved)).toEqual({ nanodollars: 600_000n, notes: { basis: 'time' } });
  });
});

describe('the charge of a call with a service tier', () => {
  const price = toPrice({ inputUsdPerMTok: 1, outputUsdPerMTok: 10, serviceTiers: { priority: 2, flex: 0.5 } });
  const tokens = { input: 100, cached: 0, output: 50, reasoning: 0 };
  const usage = { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 };
  const LIST = 600_000n;

  it.each<[requested: string | null, served: string | null, cost: bigint, notes: object | null]>([
    [null, null, LIST, null],
    [null, 'default', LIST, null],
    ['priority', null, LIST * 2n, { serviceTier: 'priority', factor: 2 }],
    ['priority', 'priority', LIST * 2n, { serviceTier: 'priority', factor: 2 }],
    ['priority', 'auto', LIST * 2n, { serviceTier: 'priority', factor: 2 }],
    ['priority', 'default', LIST, { servedTier: 'default' }],
    ['flex', 'standard', LIST, { servedTier: 'standard' }],
    ['priority', 'flex', LIST / 2n, { serviceTier: 'flex', factor: 0.5, servedTier: 'flex' }],
    [null, 'priority', LIST * 2n, { serviceTier: 'priority', factor: 2, servedTier: 'priority' }],
    [null, 'scale', LIST, { servedTier: 'scale' }],
    ['priority', 'scale', LIST * 2n, { serviceTier: 'priority', factor: 2, servedTier: 'scale' }],
  ])(
    'is that of the tier that served, if it has a price: %s requested, %s served',
    (requested, served, cost, notes) => {
      const request = { model: 'm', messages: [], service_tier: requested };
      const charge = chargeOf({ usage, isReported: true, basis: null }, tokens, {
        ...{ request, model: { price, simulated: false }, reserved: null },
        ...{ isLeft: false, isFailed: false, servedTier: served, hostedCalls: null, searchesUnasked: false },
      });
      expect(charge).toEqual({ nanodollars: cost, notes });
    },
  );
});
