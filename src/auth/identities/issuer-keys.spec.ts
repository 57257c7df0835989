import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { jwtVerify } from 'jose';
import { reply } from '../../../test/support/script.js';
import { TokenIssuer } from '../../../test/support/token-issuer.js';
import { createOutboundHttp, type OutboundHttp } from '../../common/outbound-http.js';
import { IssuerKeys, KeysUnavailableError } from './issuer-keys.js';

const HOUR_MS = 3_600_000;

describe('the signing keys of an issuer', () => {
  let provider: TokenIssuer;
  let http: OutboundHttp;
  let keys: IssuerKeys;
  let failures: unknown[];
  let clock: ReturnType<typeof jest.spyOn>;
  let hours = 0;

  beforeEach(async () => {
    provider = await TokenIssuer.start();
    http = createOutboundHttp({});
    failures = [];
    hours = 0;
    const now = performance.now.bind(performance);
    clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + hours * HOUR_MS);
    keys = keysOf(provider.url, null);
  });
  afterEach(async () => {
    clock.mockRestore();
    await http.close();
  });

  const keysOf = (issuer: string, jwksUri: string | null) =>
    new IssuerKeys({ issuer, jwksUri }, http.fetch, (error) => failures.push(error));
  const paths = () => provider.server.requests.map(({ path }) => path);
  const verify = async () => (await jwtVerify(await provider.token({ sub: 'ada' }), keys.find)).payload.sub;

  it('stay valid for 24 hours while the issuer is unreachable, and are fetched again when it is back', async () => {
    expect(await verify()).toBe('ada');
    provider.isAway = true;
    for (const later of [1, 12, 23.9]) {
      hours = later;
      expect(await verify()).toBe('ada');
    }
    hours = 24.1;
    await expect(verify()).rejects.toThrow(KeysUnavailableError);
    expect(failures.length).toBeGreaterThan(0);
    provider.isAway = false;
    hours = 24.2;
    expect(await verify()).toBe('ada');
    hours = 48;
    provider.isAway = true;
    expect(await verify()).toBe('ada');
  });

  it('come from `jwksUri` without discovery if it is set', async () => {
    keys = keysOf('https://unreachable.invalid', `${provider.url}/.well-known/keys`);
    expect(await verify()).toBe('ada');
    expect(paths()).toEqual(['/.well-known/keys']);
  });

  it('are not fetched if the metadata states another issuer, nor by a redirect', async () => {
    keys = keysOf(`${provider.url}/`, null);
    await expect(verify()).rejects.toThrow(KeysUnavailableError);
    expect(paths()).toEqual(['/.well-known/openid-configuration']);
    provider.server.always(() => reply(302, { location: `${provider.url}/.well-known/keys` }, ''));
    keys = keysOf(provider.url, `${provider.url}/moved`);
    await expect(verify()).rejects.toThrow(KeysUnavailableError);
    expect(paths().slice(1)).toEqual(['/moved']);
  });

  it('are fetched again in the background before a day is over, so that each fetch starts another day', async () => {
    await verify();
    const fetched = provider.keyRequests;
    hours = 20;
    expect(await verify()).toBe('ada');
    // A search for an unknown key ends after the fetch.
    const unknown = await provider.token({ sub: 'ada' }, { ...(await provider.addKey('second')), kid: 'unknown' });
    await expect(jwtVerify(unknown, keys.find)).rejects.toThrow();
    expect(provider.keyRequests).toBe(fetched + 1);
    provider.isAway = true;
    hours = 43;
    expect(await verify()).toBe('ada');
    hours = 45;
    await expect(verify()).rejects.toThrow(KeysUnavailableError);
  });
});
