import { describe, expect, it } from '@jest/globals';
import type { ModelView } from './chat.types';
import { costUsd } from './cost';

const model = {
  simulated: false,
  hasPrice: true,
  price: { inputUsdPerMTok: 2, cachedInputUsdPerMTok: 0.5, outputUsdPerMTok: 10 },
} as ModelView;
const usage = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 };

describe('the cost of an answer', () => {
  it('counts cached tokens once, at their price', () => {
    expect(costUsd(model, usage)).toBeCloseTo(0.003, 12);
    expect(costUsd(model, { ...usage, prompt_tokens_details: { cached_tokens: 400 } })).toBeCloseTo(0.0024, 12);
  });

  it('is zero for the simulator, and unknown without a model or its price', () => {
    expect(costUsd({ ...model, simulated: true }, usage)).toBe(0);
    expect(costUsd(undefined, usage)).toBeNull();
    expect(costUsd({ ...model, hasPrice: false }, usage)).toBeNull();
  });
});
