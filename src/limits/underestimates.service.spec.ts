import { describe, expect, it } from '@jest/globals';
import type { ClosedCall, ReservationFactors } from '../ledger/call-record.types.js';
import { UnderestimatesService } from './underestimates.service.js';

interface Call {
  readonly cost: number;
  readonly output?: number;
  readonly choices?: number;
  readonly factors?: ReservationFactors;
}

const NONE = { prompt: 1, output: 1 };
const MODEL = [{ id: 'm' }];

/** Reserves 100 nano-dollars for its prompt and ten for each of ten output tokens of each choice. */
function noteCall(to: UnderestimatesService, { cost, output = 10, choices = 1, factors = NONE }: Call, ceiling = 10) {
  const promptPrice = BigInt(100 * factors.prompt) * 1_000_000n;
  const tokenPrice = BigInt(10 * choices * factors.output) * 1_000_000n;
  const money = { full: 1000n, promptPrice, tokenPrice, choices, ceiling: 10, isOwnCeiling: true, factors };
  const reserved = (promptPrice + BigInt(ceiling) * tokenPrice) / 1_000_000n;
  const tokens = { output };
  to.note(
    { costNanodollars: BigInt(cost), model: 'm', userId: 'u', tokens, admissionRequest: { money } } as ClosedCall,
    reserved,
  );
}

describe('an estimate of a prompt that was too low', () => {
  it('raises what the next calls of the user to the model reserve', () => {
    const underestimates = new UnderestimatesService();
    expect(underestimates.factorsOf('u', MODEL)).toEqual(NONE);
    noteCall(underestimates, { cost: 400 });
    expect(underestimates.factorsOf('u', MODEL)).toEqual({ prompt: 3, output: 1 });
    expect(underestimates.factorsOf('u', [{ id: 'other' }, ...MODEL])).toEqual({ prompt: 3, output: 1 });
    expect(underestimates.factorsOf('u', [{ id: 'other' }])).toEqual(NONE);
    expect(underestimates.factorsOf('v', MODEL)).toEqual(NONE);
  });

  it('raises it further if it was too low again, to a thousandfold at most', () => {
    const underestimates = new UnderestimatesService();
    noteCall(underestimates, { cost: 400 });
    noteCall(underestimates, { cost: 700, factors: { prompt: 3, output: 1 } });
    expect(underestimates.factorsOf('u', MODEL)).toEqual({ prompt: 6, output: 1 });
    noteCall(underestimates, { cost: 1_000_000 });
    expect(underestimates.factorsOf('u', MODEL)).toEqual({ prompt: 1000, output: 1 });
  });

  it('raises it once for calls side by side', () => {
    const underestimates = new UnderestimatesService();
    for (let call = 0; call < 5; call++) noteCall(underestimates, { cost: 400 });
    expect(underestimates.factorsOf('u', MODEL)).toEqual({ prompt: 3, output: 1 });
  });

  it('is found beside the output of several choices', () => {
    const underestimates = new UnderestimatesService();
    noteCall(underestimates, { cost: 1400, output: 100, choices: 20 });
    expect(underestimates.factorsOf('u', MODEL)).toEqual({ prompt: 4, output: 1 });
  });
});

describe('output above its limit', () => {
  it('raises what the next calls reserve for output, and nothing for their prompts', () => {
    const underestimates = new UnderestimatesService();
    noteCall(underestimates, { cost: 600, output: 50 });
    expect(underestimates.factorsOf('u', MODEL)).toEqual({ prompt: 1, output: 5 });
    noteCall(underestimates, { cost: 1600, output: 150, choices: 2, factors: { prompt: 1, output: 5 } });
    expect(underestimates.factorsOf('u', MODEL)).toEqual({ prompt: 1, output: 7.5 });
  });

  it('is compared with the limit that the budget left', () => {
    const underestimates = new UnderestimatesService();
    noteCall(underestimates, { cost: 200, output: 10 }, 5);
    expect(underestimates.factorsOf('u', MODEL)).toEqual({ prompt: 1, output: 2 });
  });
});

it('nothing is raised if the output cost the rest, or nothing was reserved', () => {
  const underestimates = new UnderestimatesService();
  noteCall(underestimates, { cost: 200 });
  noteCall(underestimates, { cost: 900, output: 0, factors: { prompt: 0, output: 0 } });
  expect(underestimates.factorsOf('u', MODEL)).toEqual(NONE);
});
