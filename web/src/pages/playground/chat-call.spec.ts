import { describe, expect, it } from '@jest/globals';
import { withPieces } from './chat-call';
import type { ModelView } from './chat-settings';
import { costUsd } from './estimate';

const model = {
  simulated: false,
  hasPrice: true,
  price: {
    ...{ inputUsdPerMTok: 2, cachedInputUsdPerMTok: 0.5, outputUsdPerMTok: 10, cacheWriteUsdPerMTok: {} },
    ...{ above: [], until: null, serviceTiers: {}, hostedTools: {} },
  },
} as unknown as ModelView;
const usage = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 };

describe('the cost of an answer', () => {
  it('counts cached tokens once, at their price', () => {
    expect(costUsd(model, usage)).toBeCloseTo(0.003, 12);
    expect(costUsd(model, { ...usage, prompt_tokens_details: { cached_tokens: 400 } })).toBeCloseTo(0.0024, 12);
  });

  it('has the prices of long prompts for all its tokens', () => {
    const step = { ...model.price, inputTokens: 999, inputUsdPerMTok: 4, outputUsdPerMTok: 20 };
    expect(costUsd({ ...model, price: { ...model.price, above: [step] } }, usage)).toBeCloseTo(0.006, 12);
  });

  it('is zero for the simulator, and unknown without a model or its price', () => {
    expect(costUsd({ ...model, simulated: true }, usage)).toBe(0);
    expect(costUsd(undefined, usage)).toBeNull();
    expect(costUsd({ ...model, hasPrice: false }, usage)).toBeNull();
  });
});

describe('the tool calls of a stream', () => {
  it('are assembled from their pieces by index', () => {
    const begun = withPieces([], [{ index: 0, id: 'c0', type: 'function', function: { name: 'look', arguments: '' } }]);
    const both = withPieces(begun, [
      { index: 0, function: { arguments: '{"a"' } },
      { index: 1, id: 'c1', type: 'function', function: { name: 'find', arguments: '{}' } },
    ]);
    expect(withPieces(both, [{ index: 0, function: { arguments: ':1}' } }])).toEqual([
      { id: 'c0', name: 'look', arguments: '{"a":1}' },
      { id: 'c1', name: 'find', arguments: '{}' },
    ]);
    expect(withPieces(both, undefined)).toEqual(both);
  });
});
