import { describe, expect, it } from '@jest/globals';
import { awsSignature } from '../../../../test/support/aws-signature.js';
import type { UnsignedRequest } from '../../contract/upstream.types.js';
import { sigV4Signer } from './sigv4.signer.js';

const keys = {
  secrets: [],
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  sessionToken: null,
  region: 'eu-central-1',
};
const body = '{"messages":[{"role":"user","content":[{"text":"Grüße"}]}]}';
const host = 'bedrock-runtime.eu-central-1.amazonaws.com';
const path = '/model/amazon.nova-lite-v1%3A0/converse';

function request(url = `https://${host}${path}`): UnsignedRequest {
  return { method: 'POST', url, headers: { 'content-type': 'application/json', accept: '*/*' }, body };
}

describe('the SigV4 signer', () => {
  it('signs host, type, time and body for Bedrock in the region, with the model id encoded twice', async () => {
    const { authorization, ...added } = await sigV4Signer('bedrock', keys)(request());
    expect(Object.keys(added).sort()).toEqual(['x-amz-content-sha256', 'x-amz-date']);
    const headers = { ...added, host, 'content-type': 'application/json' };
    const signature = awsSignature({ path, headers, body }, keys.secretAccessKey, keys.region);
    const date = added['x-amz-date']?.slice(0, 8);
    expect(authorization).toBe(
      `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/${date}/eu-central-1/bedrock/aws4_request, ` +
        `SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date, Signature=${signature}`,
    );
  });

  it('the SigV4 signer also encodes the slashes of an ARN twice, and signs the port of a host', async () => {
    const arn = 'arn%3Aaws%3Abedrock%3Aus-east-1%3A123456789012%3Ainference-profile%2Fus.amazon.nova-lite-v1%3A0';
    const ofArn = `/model/${arn}/converse`;
    const { authorization, ...added } = await sigV4Signer('bedrock', keys)(request(`http://127.0.0.1:8081${ofArn}`));
    const headers = { ...added, host: '127.0.0.1:8081', 'content-type': 'application/json' };
    const signature = awsSignature({ path: ofArn, headers, body }, keys.secretAccessKey, keys.region);
    expect(authorization).toContain(`Signature=${signature}`);
  });

  it('sends and signs the session token of temporary keys', async () => {
    const { authorization, ...added } = await sigV4Signer('bedrock', { ...keys, sessionToken: 'token' })(request());
    expect(added['x-amz-security-token']).toBe('token');
    expect(authorization).toContain('x-amz-date;x-amz-security-token, Signature=');
    const headers = { ...added, host, 'content-type': 'application/json' };
    expect(authorization).toContain(awsSignature({ path, headers, body }, keys.secretAccessKey, keys.region));
  });

  it('signs megabytes the same way, in several turns of the event loop', async () => {
    const large = 'x'.repeat(13 * 1024 * 1024 + 1);
    let turns = 0;
    const look = () => {
      turns++;
      turn = setImmediate(look);
    };
    let turn = setImmediate(look);
    const { authorization, ...added } = await sigV4Signer('bedrock', keys)({ ...request(), body: Buffer.from(large) });
    clearImmediate(turn);
    const headers = { ...added, host, 'content-type': 'application/json' };
    expect(authorization).toContain(awsSignature({ path, headers, body: large }, keys.secretAccessKey, keys.region));
    expect(turns).toBeGreaterThanOrEqual(3);
  });
});
