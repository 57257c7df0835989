import { describe, expect, it } from '@jest/globals';
import { nextPage } from './next-page';

const origin = 'https://gateway.example';

describe('the page after signing in', () => {
  it.each(['/usage?range=7d#top', '/models/gpt-5', '/account', '/docs/errors', '/'])(
    'is the requested one: %s',
    (next) => {
      expect(nextPage(next, origin)).toBe(next);
    },
  );

  it.each([
    undefined,
    'usage',
    'https://elsewhere.example/usage',
    '//elsewhere.example/usage',
    '/\\elsewhere.example/usage',
    'javascript:alert(1)',
    '/api/session',
    '/login',
  ])('is the first one for an address outside of the console: %s', (next) => {
    expect(nextPage(next, origin)).toBe('/');
  });

  it('is checked after its dots are resolved', () => {
    expect(nextPage('/usage/../api/users', origin)).toBe('/');
  });
});
