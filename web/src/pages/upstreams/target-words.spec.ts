import { describe, expect, it } from '@jest/globals';
import {
  asideOf,
  asideText,
  type CatalogModel,
  keysAsideText,
  limitScope,
  limitTexts,
  shareText,
  type Target,
} from './target-words';

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

const target = (fields: Partial<Target>): Target => ({
  upstream: 'openai',
  model: 'gpt',
  priority: 1,
  weight: 1,
  live: true,
  asideReason: null,
  asideUntil: null,
  asideBy: null,
  keys: [],
  ...fields,
});
const aside = { asideReason: 'limited', asideUntil: '2026-11-22T12:03:20.000Z', asideBy: null } as const;

describe("a target's share", () => {
  it('is by weight among the available ones of its priority', () => {
    const targets = [
      target({}),
      target({ upstream: 'azure', weight: 3 }),
      target({ upstream: 'groq', weight: 4, ...aside }),
      target({ upstream: 'xai', weight: 5, live: false }),
      target({ upstream: 'mistral', priority: 2 }),
    ];
    expect(targets.map((one) => shareText(one, targets))).toEqual([
      'weight 1, 25%',
      'weight 3, 75%',
      'weight 4, 0%',
      'weight 5, 0%',
      null,
    ]);
  });
});

describe('a target that is set aside', () => {
  it('shows the reason and the time', () => {
    expect(asideText(target(aside))).toMatch(/^set aside until .*\d\d:\d\d.*: it asked to wait$/);
    expect(asideText(target({}))).toBeNull();
    const asideBy = { host: 'gateway-2', process: 7 };
    expect(asideText(target({ ...aside, asideBy }))).toMatch(/it asked to wait \(seen by process 7 on gateway-2\)$/);
  });

  it('names its keys that are set aside while others are not', () => {
    const keys = [
      { name: '1', asideReason: null, asideUntil: null, asideBy: null },
      { name: 'batch', ...aside },
    ];
    expect(keysAsideText(target({ keys }))).toEqual([
      expect.stringMatching(/^key batch set aside until .*: it asked to/),
    ]);
    expect(keysAsideText(target({ ...aside, keys }))).toEqual([]);
  });

  it('is listed once for each model of an upstream, the last to return first', () => {
    const later = target({ ...aside, model: 'other', asideUntil: '2026-11-22T12:05:00.000Z' });
    const models = [
      [target(aside), target({ upstream: 'groq', ...aside })],
      [target(aside), later],
    ];
    const found = asideOf('openai', models.map((targets) => ({ targets })) as CatalogModel[]);
    expect(found.map(({ model }) => model)).toEqual(['other', 'gpt']);
  });
});
