import { describe, expect, it } from '@jest/globals';
import { toUsage } from './response.js';

describe('usage', () => {
  it('is the billed usage, with the context in the details', () => {
    const usage = {
      billed_units: { input_tokens: 267, output_tokens: 52 },
      tokens: { input_tokens: 34, output_tokens: 56, reasoning_tokens: 4, image_tokens: 259 },
      cached_tokens: 280,
    };
    expect(toUsage(usage)).toEqual({
      prompt_tokens: 267,
      completion_tokens: 52,
      total_tokens: 319,
      prompt_tokens_details: { context_tokens: 293, cached_context_tokens: 280 },
      completion_tokens_details: { reasoning_tokens: 4 },
    });
  });

  it('has at most as many reasoning tokens as billed', () => {
    const usage = { billed_units: { output_tokens: 50 }, tokens: { output_tokens: 56, reasoning_tokens: 53 } };
    expect(toUsage(usage)).toMatchObject({ prompt_tokens: 0, completion_tokens_details: { reasoning_tokens: 50 } });
  });

  it('has all tokens if nothing is billed', () => {
    const tokens = { input_tokens: 500, output_tokens: 9 };
    const reported = { prompt_tokens: 500, completion_tokens: 9, total_tokens: 509 };
    expect(toUsage({ tokens })).toEqual(reported);
    expect(toUsage({ tokens, cached_tokens: 448 })).toEqual({
      ...reported,
      prompt_tokens_details: { cached_tokens: 448 },
    });
  });

  it.each([[undefined], [null], [{}], [{ billed_units: {}, tokens: null }]])('is unknown for %j', (usage) => {
    expect(toUsage(usage)).toBeUndefined();
  });
});
