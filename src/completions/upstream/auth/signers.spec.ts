import { describe, expect, it } from '@jest/globals';
import type { UnsignedRequest } from './signer.js';
import { createSigner } from './signers.js';

const request: UnsignedRequest = { method: 'POST', url: 'http://upstream/v1', headers: {}, body: '{}' };
const credential = { apiKey: 'secret' };

describe('createSigner', () => {
  it('signs with a bearer token', () => {
    expect(createSigner({ kind: 'bearer' }, credential)?.(request)).toEqual({ authorization: 'Bearer secret' });
  });

  it('signs with the key in a header of its own', () => {
    expect(createSigner({ kind: 'header', name: 'x-api-key' }, credential)?.(request)).toEqual({
      'x-api-key': 'secret',
    });
  });

  it('adds nothing for an upstream that asks for nothing, whether there is a key or not', () => {
    expect(createSigner({ kind: 'none' }, { apiKey: null })?.(request)).toEqual({});
    expect(createSigner({ kind: 'none' }, credential)?.(request)).toEqual({});
  });

  it.each([{ kind: 'bearer' }, { kind: 'header', name: 'x-api-key' }, { kind: 'sigv4' }, { kind: 'google' }] as const)(
    'has no signer for %j without a credential',
    (auth) => expect(createSigner(auth, { apiKey: null })).toBeNull(),
  );

  it.each([{ kind: 'sigv4' }, { kind: 'google' }] as const)('has no signer for %j from an API key', (auth) =>
    expect(createSigner(auth, credential)).toBeNull(),
  );
});
