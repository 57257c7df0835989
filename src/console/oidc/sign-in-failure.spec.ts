import { describe, expect, it } from '@jest/globals';
import { OidcRefusal } from '../../accounts/oidc/oidc.types.js';
import { failurePath, fromCookie, toCookie, toFailure } from './sign-in-failure.js';

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
