import { describe, expect, it } from '@jest/globals';
import { ownPath } from './own-path.js';

describe('the path after a sign-in', () => {
  it.each(['/', '/keys', '/usage?range=7d&group=model#table', '/models/a%2Fb', '/keys?next=https://evil.example'])(
    'can be %s',
    (path) => {
      expect(ownPath(path)).toBe(path);
    },
  );

  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    'javascript:alert(1)',
    'keys',
    '',
    '/api/session',
    '/v1/models',
    `/${'x'.repeat(3000)}`,
    undefined,
    ['/keys'],
  ])('cannot be %j', (path) => {
    expect(ownPath(path)).toBe('/');
  });

  it('fits into one header line', () => {
    expect(ownPath('/keys\r\nset-cookie: a=b')).not.toMatch(/[\r\n]/);
  });
});
