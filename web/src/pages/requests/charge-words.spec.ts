import { describe, expect, it } from '@jest/globals';
import { chargeSentences } from './charge-words';

const NOTHING = {
  basis: null,
  cacheWrites: [],
  serviceTier: null,
  hostedTools: [],
  cachedUsd: null,
  overReservedUsd: 0,
  underestimated: null,
  otherAttemptsUsd: 0,
  isFree: false,
  isUnpriced: false,
  listUsd: null,
  outputCeiling: null,
  hasOtherPrices: false,
  servedTier: null,
  aboveInputTokens: null,
  soundTokens: 0,
};
type Charge = NonNullable<Parameters<typeof chargeSentences>[0]['charge']>;
const textOf = (charge: Partial<Charge>, status: 'settled' | 'aborted' | 'failed' | 'interrupted' = 'settled') =>
  chargeSentences({ charge: { ...NOTHING, ...charge }, simulated: false, status, costUsd: 0.5 });

describe('the explanation of a charge', () => {
  it('is empty for the list price and for a simulated answer', () => {
    expect(chargeSentences({ charge: null, simulated: false, status: 'settled', costUsd: 0 })).toEqual([]);
    const charge = { ...NOTHING, basis: 'visible' as const };
    expect(chargeSentences({ charge, simulated: true, status: 'aborted', costUsd: 0 })).toEqual([]);
  });

  it('says of a simulated answer only that it came from the cache', () => {
    const charge = { ...NOTHING, basis: 'visible' as const, cachedUsd: 0 };
    expect(chargeSentences({ charge, simulated: true, status: 'settled', costUsd: 0 })).toEqual([
      'Answered from the cache; it would have cost $0.00.',
    ]);
  });

  it('has a sentence for each reason', () => {
    const cacheWrites = [
      { minutes: 5 as const, tokens: 1200, factor: 1.25 },
      { minutes: 60 as const, tokens: 1, factor: null },
    ];
    const hostedTools = [
      { name: 'web_search', calls: 2 },
      { name: 'code_execution', calls: 1 },
    ];
    const serviceTier = { name: 'priority', factor: 2 };
    expect(textOf({ cacheWrites, serviceTier, hostedTools, overReservedUsd: 0.0012 })).toEqual([
      "1,200 tokens were written to the provider's cache for 5 minutes at 1.25 × the input price.",
      "1 token was written to the provider's cache for an hour.",
      'Service tier priority: 2 × the list price.',
      '2 web searches by the provider.',
      "1 call of the provider's tool code execution.",
      '$0.0012 more than reserved. The budget may be exceeded.',
    ]);
  });

  it('says why more was charged than reserved, and what other attempts cost', () => {
    const cost = { overReservedUsd: 0.0012, otherAttemptsUsd: 0.0003 };
    expect(textOf({ ...cost, underestimated: 'file' })).toEqual([
      '$0.0003 of it is for attempts whose answers could not be used.',
      '$0.0012 more than reserved, because its files have more tokens than were expected. The budget may be exceeded.',
    ]);
    expect(textOf({ overReservedUsd: 2, underestimated: 'web_search' })).toEqual([
      '$2.00 more than reserved, because web search was used more than was expected. The budget may be exceeded.',
    ]);
  });

  it('says how unreported tokens were estimated', () => {
    const left = 'The caller left early. Output tokens were estimated';
    expect(textOf({ basis: 'visible' }, 'aborted')).toEqual([`${left} from the received text.`]);
    expect(textOf({ basis: 'time' }, 'aborted')).toEqual([
      `${left} from the elapsed time, at the model's usual speed.`,
    ]);
    expect(textOf({ basis: 'ceiling' }, 'aborted')).toEqual([`${left} as the longest possible answer.`]);
    expect(textOf({ basis: 'prompt' }, 'interrupted')).toEqual([
      "Only the prompt was charged: the gateway's process ended before the answer.",
    ]);
    const counted = 'The gateway counted the tokens, because the provider did not report them.';
    expect(textOf({ basis: 'visible' })).toEqual([counted]);
    expect(textOf({ basis: 'visible', isFree: true }, 'failed')).toEqual([
      'Not charged: the provider failed during the answer.',
      counted,
    ]);
  });

  it('says that a call counts as zero because its model has no price', () => {
    expect(textOf({ isUnpriced: true })).toEqual(['The model has no price, so the call counts as $0.']);
  });

  it('has the list price where the cost differs, and says that prices have changed', () => {
    expect(textOf({ listUsd: 0.2, serviceTier: { name: 'priority', factor: 2.5 } })).toEqual([
      'Service tier priority: 2.5 × the list price.',
      'The list price of these tokens is $0.20.',
    ]);
    expect(textOf({ listUsd: 0.5 })).toEqual([]);
    expect(textOf({ hasOtherPrices: true })).toEqual(["The model's prices have changed since this request."]);
  });
});
