import { describe, expect, it } from '@jest/globals';
import type { ClosedCall } from '../ledger/call-record.types.js';
import { UnderestimatesService } from './underestimates.service.js';

/** A call whose prompt reserved 100 nano-dollars, with ten output tokens for ten each. */
function call(costNanodollars: bigint, promptPrice = 100_000_000n, choices = 1, output = 10): ClosedCall {
  const tokenPrice = BigInt(choices) * 10_000_000n;
  const money = { full: 1000n, promptPrice, tokenPrice, choices, ceiling: 10, isOwnCeiling: true };
  return {
    costNanodollars,
    model: 'm',
    userId: 'u',
    tokens: { output },
    admissionRequest: { money },
  } as ClosedCall;
}

describe('an estimate of a prompt that was too low', () => {
  it('raises what the next calls of the user to the model reserve', () => {
    const underestimates = new UnderestimatesService();
    expect(underestimates.factorOf('u', [{ id: 'm' }])).toBe(1);
    underestimates.note(call(400n));
    expect(underestimates.factorOf('u', [{ id: 'm' }])).toBe(3);
    expect(underestimates.factorOf('u', [{ id: 'other' }, { id: 'm' }])).toBe(3);
    expect(underestimates.factorOf('u', [{ id: 'other' }])).toBe(1);
    expect(underestimates.factorOf('v', [{ id: 'm' }])).toBe(1);
  });

  it('raises it further if it was too low again, to a thousandfold at most', () => {
    const underestimates = new UnderestimatesService();
    underestimates.note(call(400n));
    underestimates.note(call(700n, 300_000_000n));
    expect(underestimates.factorOf('u', [{ id: 'm' }])).toBe(6);
    underestimates.note(call(1_000_000n));
    expect(underestimates.factorOf('u', [{ id: 'm' }])).toBe(1000);
  });

  it('is found beside the output of several choices, and output above its limit is a part of it', () => {
    const underestimates = new UnderestimatesService();
    underestimates.note(call(1400n, 100_000_000n, 20, 100));
    expect(underestimates.factorOf('u', [{ id: 'm' }])).toBe(4);
    underestimates.note(call(1000n, 400_000_000n, 1, 60));
    expect(underestimates.factorOf('u', [{ id: 'm' }])).toBe(9);
  });

  it('raises nothing if the output cost the rest, or nothing was reserved', () => {
    const underestimates = new UnderestimatesService();
    underestimates.note(call(200n));
    underestimates.note(call(900n, 0n));
    expect(underestimates.factorOf('u', [{ id: 'm' }])).toBe(1);
  });
});
