import { describe, expect, it } from '@jest/globals';
import type { UpstreamHeaders } from '../contract/provider.adapter.js';
import { usedUp } from './remaining-headers.js';

const DATE = 'Mon, 23 Nov 2026 12:00:00 GMT';

describe("the limits in a provider's headers", () => {
  it.each<[string, UpstreamHeaders, number, number]>([
    [
      'requests, with a reset',
      { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '6s' },
      6000,
      6000,
    ],
    [
      'requests, with a limit',
      {
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-limit-requests': '120',
        'x-ratelimit-reset-requests': '1m0s',
      },
      60_000,
      500,
    ],
    [
      'tokens, with a limit',
      {
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-limit-tokens': '150000',
        'x-ratelimit-reset-tokens': '30s',
        'x-ratelimit-remaining-requests': '12',
      },
      30_000,
      300,
    ],
    ['a reset of hours', { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '6h' }, 60_000, 60_000],
    ['no reset', { 'x-ratelimit-remaining-tokens': '0' }, 1000, 1000],
    [
      'the longer one of two',
      {
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '80ms',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '2.5s',
      },
      2500,
      2500,
    ],
    [
      'Anthropic’s requests',
      {
        date: DATE,
        'anthropic-ratelimit-requests-remaining': '0',
        'anthropic-ratelimit-requests-limit': '50',
        'anthropic-ratelimit-requests-reset': '2026-11-23T12:00:10Z',
      },
      10_000,
      200,
    ],
    [
      'Anthropic’s input tokens',
      {
        date: DATE,
        'anthropic-ratelimit-input-tokens-remaining': '0',
        'anthropic-ratelimit-input-tokens-reset': '2026-11-23T12:00:03Z',
      },
      3000,
      3000,
    ],
  ])('are exhausted: %s', (_what, headers, reset, some) => {
    expect(usedUp(headers)).toEqual({ reset, some });
  });

  it.each<[string, UpstreamHeaders]>([
    ['none', {}],
    ['something left', { 'x-ratelimit-remaining-requests': '1', 'x-ratelimit-reset-requests': '6s' }],
    [
      'nothing that is a number',
      { 'x-ratelimit-remaining-requests': '', 'anthropic-ratelimit-tokens-remaining': '00' },
    ],
  ])('are not exhausted: %s', (_what, headers) => {
    expect(usedUp(headers)).toBeNull();
  });
});
