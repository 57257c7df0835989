import { describe, expect, it } from '@jest/globals';
import { toPrice } from '../../billing/price.js';
import { chargeOf } from './charge.js';

describe('the charge of an abandoned call', () => {
  const model = { price: toPrice({ inputUsdPerMTok: 1, outputUsdPerMTok: 10 }), simulated: false };
  const request = { model: 'm', messages: [] };
  const tokens = { input: 100, cached: 0, output: 50, reasoning: 0 };
  const usage = { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 };
  const chargeWith = (reserved: bigint | null) =>
    chargeOf({ usage, isReported: false, basis: 'time' }, tokens, {
      ...{ request, model, reserved },
      isLeft: true,
      isFailed: false,
    });

  it('is at most the reservation if it is an estimate, and the rest is recorded', () => {
    expect(chargeWith(400_000n)).toEqual({ nanodollars: 400_000n, notes: { basis: 'time', uncharged: 200_000 } });
  });

  it.each([600_000n, 900_000n, null])('is the whole estimate when %s nano-dollars were reserved', (reserved) => {
    expect(chargeWith(reserved)).toEqual({ nanodollars: 600_000n, notes: { basis: 'time' } });
  });
});
