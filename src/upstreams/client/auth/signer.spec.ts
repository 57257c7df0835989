import { describe, expect, it } from '@jest/globals';
import { NO_AUTH } from '../../../config/upstream-protocol.js';
import type { UnsignedRequest } from '../../contract/upstream.types.js';
import { UpstreamClient } from '../upstream.client.js';
import { BEARER, keyHeader } from './api-key.scheme.js';
import { GOOGLE } from './google.scheme.js';
import { createSigner } from './signer.js';
import { sigV4 } from './sigv4.scheme.js';

const request: UnsignedRequest = { method: 'POST', url: 'http://upstream/v1', headers: {}, body: '{}' };
const nothing = { apiKey: null, credential: null };
const key = { apiKey: 'secret', credential: null };
const BEDROCK = {
  service: 'bedrock',
  title: 'Bedrock',
  host: 'bedrock-runtime',
  keyVariable: 'AWS_BEARER_TOKEN_BEDROCK',
};
const AWS = sigV4(BEDROCK, 'default');
const awsKeys = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI',
  sessionToken: null,
  region: 'us-east-1',
  secrets: [],
};

const client = new UpstreamClient();

describe('createSigner', () => {
  it('signs with a bearer token', () => {
    expect(createSigner(BEARER, key, client)?.(request)).toEqual({ authorization: 'Bearer secret' });
  });

  it('signs with the key in a separate header', () => {
    expect(createSigner(keyHeader('x-api-key'), key, client)?.(request)).toEqual({ 'x-api-key': 'secret' });
  });

  it('adds nothing without authentication, with or without a key', () => {
    expect(createSigner(NO_AUTH, nothing, client)?.(request)).toEqual({});
    expect(createSigner(NO_AUTH, key, client)?.(request)).toEqual({});
  });

  it.each([BEARER, keyHeader('x-api-key'), AWS, GOOGLE])('has no signer for $kind without a credential', (scheme) =>
    expect(createSigner(scheme, nothing, client)).toBeNull(),
  );

  it('signs for AWS with a bearer key instead of a signature if both are configured', () => {
    const sign = createSigner(AWS, { apiKey: 'secret', credential: awsKeys }, client);
    expect(sign?.(request)).toEqual({ authorization: 'Bearer secret' });
  });

  it('signs for AWS with a pair of keys', async () => {
    const sign = createSigner(AWS, { apiKey: null, credential: awsKeys }, client);
    expect(await sign?.(request)).toMatchObject({ authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 /) });
  });

  it('has no signer for Google with an API key only', () => expect(createSigner(GOOGLE, key, client)).toBeNull());
});
