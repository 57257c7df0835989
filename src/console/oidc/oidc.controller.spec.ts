import { describe, expect, it } from '@jest/globals';
import { OidcRefusal } from '../../accounts/oidc.types.js';
import { failurePath, fromCookie, ownPath, toCookie, toFailure } from './oidc.controller.js';

describe('a failed sign-in', () => {
  it('survives a cookie, with any group names', () => {
    const failure = toFailure(new OidcRefusal('not_in_group', ['R&D; "ä" =', '日本']), 'req_1');
    expect(toCookie(failure)).toMatch(/^[\w-]+$/);
    expect(fromCookie(toCookie(failure))).toEqual(failure);
  });

  it('fits into a cookie even with many groups', () => {
    const groups = Array.from({ length: 200 }, (_, i) => `group ${i} ${'ä'.repeat(300)}`);
    expect(toCookie(toFailure(new OidcRefusal('not_in_group', groups), 'req_1')).length).toBeLessThan(4000);
  });

  it('has only its reason and request in the URL', () => {
    const failure = toFailure(new OidcRefusal('claim_missing', ['groups'], 'secret detail'), 'req_1');
    expect(failurePath(failure)).toBe('/sign-in-error?reason=claim_missing&request=req_1');
    expect(JSON.stringify(failure)).not.toContain('secret detail');
  });

  it.each([
    '',
    'x',
    Buffer.from('null').toString('base64url'),
    Buffer.from('{"reason":"x","missing":"y","requestId":"z"}').toString('base64url'),
    Buffer.from('{"reason":"x","missing":[{}],"requestId":"z"}').toString('base64url'),
    Buffer.from('{"reason":"x","missing":[],"requestId":"z","more":1}').toString('base64url'),
  ])('is not read from a foreign cookie: %j', (cookie) => {
    expect(fromCookie(cookie)).toBeNull();
  });
});

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
