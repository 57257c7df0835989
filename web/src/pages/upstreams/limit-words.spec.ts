import { describe, expect, it } from '@jest/globals';
import { limitScope, limitTexts } from './limit-words';

const NONE = { requestsPerMinute: null, tokensPerMinute: null, concurrentCalls: null };
const UNUSED = { requests: null, tokens: null, calls: null, waiting: 0 };

describe('a provider’s limit', () => {
  it('names its model and key', () => {
    expect(limitScope({ key: null, model: null })).toBe('All models');
    expect(limitScope({ key: '2', model: 'gpt' })).toBe('gpt · key 2');
  });

  it('shows how full it is, and the waiting calls', () => {
    const limit = { key: null, model: null, ...NONE, ...UNUSED, requestsPerMinute: 1200, requests: 0.25 };
    expect(limitTexts(limit)).toEqual(['25% of 1,200 requests per minute']);
    expect(limitTexts({ ...limit, concurrentCalls: 10, calls: 1, waiting: 3 })).toEqual([
      '25% of 1,200 requests per minute',
      '100% of 10 concurrent requests',
      '3 waiting',
    ]);
  });
});
