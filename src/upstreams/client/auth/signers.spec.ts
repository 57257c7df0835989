import { describe, expect, it } from '@jest/globals';
import type { AuthScheme } from '../../../config/upstream-protocol.js';
import { UpstreamClient } from '../upstream.client.js';
import type { UnsignedRequest } from './signer.js';
import { createSigner } from './signers.js';

const request: UnsignedRequest = { method: 'POST', url: 'http://upstream/v1', headers: {}, body: '{}' };
const nothing = { apiKey: null, credential: null };
const key = { apiKey: 'secret', credential: null };
const sigV4: AuthScheme = {
  kind: 'sigv4',
  service: 'bedrock',
  title: 'Bedrock',
  host: 'bedrock-runtime',
  keyVariable: 'AWS_BEARER_TOKEN_BEDROCK',
};
const schemes: AuthScheme[] = [{ kind: 'bearer' }, { kind: 'header', name: 'x-api-key' }, sigV4, { kind: 'google' }];
const awsKeys = {
  kind: 'aws' as const,
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI',
  sessionToken: null,
  region: 'us-east-1',
};

const client = new UpstreamClient();

describe('createSigner', () => {
  it('signs with a bearer token', () => {
    expect(createSigner({ kind: 'bearer' }, key, client)?.(request)).toEqual({ authorization: 'Bearer secret' });
  });

  it('signs with the key in a header of its own', () => {
    expect(createSigner({ kind: 'header', name: 'x-api-key' }, key, client)?.(request)).toEqual({
      'x-api-key': 'secret',
    });
  });

  it('adds nothing for an upstream that asks for nothing, whether there is a key or not', () => {
    expect(createSigner({ kind: 'none' }, nothing, client)?.(request)).toEqual({});
    expect(createSigner({ kind: 'none' }, key, client)?.(request)).toEqual({});
  });

  it.each(schemes)('has no signer for %j without a credential', (scheme) =>
    expect(createSigner(scheme, nothing, client)).toBeNull(),
  );

  it('signs for AWS with a bearer key in place of a signature, also where both are configured', () => {
    const sign = createSigner(sigV4, { apiKey: 'secret', credential: awsKeys }, client);
    expect(sign?.(request)).toEqual({ authorization: 'Bearer secret' });
  });

  it('signs for AWS with a pair of keys', async () => {
    const sign = createSigner(sigV4, { apiKey: null, credential: awsKeys }, client);
    expect(await sign?.(request)).toMatchObject({ authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 /) });
  });

  it('has no signer for Google from an API key', () =>
    expect(createSigner({ kind: 'google' }, key, client)).toBeNull());
});
