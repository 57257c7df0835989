import { describe, expect, it } from '@jest/globals';
import { openAiDialect } from './openai.dialect.js';
import { toUsage } from './usage.js';

const counts = (prompt_tokens: unknown, completion_tokens: unknown, total_tokens: unknown, more = {}) => ({
  usage: { prompt_tokens, completion_tokens, total_tokens, ...more },
});

describe('usageOf', () => {
  it.each([
    [counts(10, 5, 15), 10, 5],
    [counts(10, 5, undefined), 10, 5],
    [counts(10, 5, 12), 10, 5],
    [counts(10, 5, 40), 10, 30],
    [counts(0, 0, 0), 0, 0],
  ])('of %j has a total that is the sum of its parts', (body, prompt, completion) => {
    expect(toUsage(body, openAiDialect)).toEqual({
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
    });
  });

  it('adds tokens that only the total includes to the count that the dialect names', () => {
    const audio = counts(9, 201, 585, { prompt_tokens_details: { audio_tokens: 375 } });
    expect(toUsage(audio, { ...openAiDialect, shortCount: 'prompt_tokens' })).toMatchObject({
      prompt_tokens: 384,
      completion_tokens: 201,
      total_tokens: 585,
    });
  });

  it('keeps known details that are counts', () => {
    const details = { cached_tokens: 3, audio_tokens: null, own: 1, text_tokens: 2.5 };
    const body = counts(10, 5, 15, {
      prompt_tokens_details: details,
      completion_tokens_details: { reasoning_tokens: 4 },
    });
    expect(toUsage(body, openAiDialect)).toMatchObject({
      prompt_tokens_details: { cached_tokens: 3 },
      completion_tokens_details: { reasoning_tokens: 4 },
    });
    expect(Object.keys(toUsage(body, openAiDialect)?.prompt_tokens_details ?? {})).toEqual(['cached_tokens']);
  });

  it("reads cached tokens from the dialect's own field", () => {
    const dialect = { ...openAiDialect, cachedTokensField: 'hits' };
    expect(toUsage(counts(10, 5, 15, { hits: 7 }), dialect)?.prompt_tokens_details).toEqual({ cached_tokens: 7 });
    expect(
      toUsage(counts(10, 5, 15, { hits: 7, prompt_tokens_details: null }), dialect)?.prompt_tokens_details,
    ).toEqual({
      cached_tokens: 7,
    });
  });

  it.each([
    [{}],
    [{ usage: null }],
    [{ usage: {} }],
    [counts(10, null, 10)],
    [counts('10', 5, 15)],
    [counts(-1, 5, 4)],
  ])('is undefined for %j', (body) => {
    expect(toUsage(body, openAiDialect)).toBeUndefined();
  });
});
