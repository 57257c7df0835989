import { describe, expect, it } from '@jest/globals';
import { retryAfterMs, waitInMessage } from './retry-after.js';

describe('retryAfterMs', () => {
  it.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '0.25' }, 250],
    [{ 'retry-after-ms': '1500', 'retry-after': '2' }, 1500],
    [{ 'retry-after': ['3', '9'] }, 3000],
    [{ date: 'Mon, 08 Jun 2026 19:34:19 GMT', 'retry-after': 'Mon, 08 Jun 2026 19:34:31 GMT' }, 12_000],
    [{ date: 'Mon, 08 Jun 2026 19:34:19 GMT', 'retry-after': 'Mon, 08 Jun 2026 19:34:01 GMT' }, 0],
    [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '6m0s' }, 360_000],
    [{ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '1h2m3.5s' }, 3_723_500],
    [{ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '80ms' }, 80],
    [
      {
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '20s',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '3s',
      },
      20_000,
    ],
  ])('reads %j', (headers, ms) => {
    expect(retryAfterMs(headers)).toBe(ms);
  });

  it.each([
    [{}],
    [{ 'retry-after': '' }],
    [{ 'retry-after': 'soon' }],
    [{ 'retry-after': '-5' }],
    [{ 'retry-after': 'Mon, 08 Jun 2026 19:34:31 GMT' }],
    [{ 'x-ratelimit-remaining-requests': '5', 'x-ratelimit-reset-requests': '20s' }],
    [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': 'later' }],
  ])('ignores %j', (headers) => {
    expect(retryAfterMs(headers)).toBeUndefined();
  });
});

it.each([
  ['Rate limit reached for m. Limit: 3 / min. Please try again in 11.054s. Visit https://x.y to learn more.', 11_054],
  ['Please try again in 6m0s.', 360_000],
  ['Please try again in 20ms', 20],
  ['Please try again in a while.', undefined],
  ['No.', undefined],
])('the wait in the message %s is %s ms', (message, wait) => {
  expect(waitInMessage(message)).toBe(wait);
});
