import { generateKeyPairSync, verify } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../../../../test/support/eventually.js';
import type { ReceivedRequest } from '../../../../test/support/received-request.js';
import { json, reset } from '../../../../test/support/script.js';
import { ScriptedUpstream } from '../../../../test/support/scripted-upstream.js';
import { UpstreamError } from '../../contract/upstream.error.js';
import type { Signer, UnsignedRequest } from '../../contract/upstream.types.js';
import { UpstreamClient } from '../upstream.client.js';
import { type GoogleCredential, googleSigner } from './google.signer.js';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const request: UnsignedRequest = { method: 'POST', url: 'https://vertex/v1', headers: {}, body: '{}' };
const MINUTE = 60_000;

describe('googleSigner', () => {
  let tokenServer: ScriptedUpstream;
  let client: UpstreamClient;
  let account: GoogleCredential;
  let sign: Signer;
  let given = 0;
  let passed = 0;

  beforeEach(async () => {
    const now = performance.now.bind(performance);
    passed = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now() + passed);
    given = 0;
    tokenServer = await ScriptedUpstream.start();
    tokenServer.always(() => json(200, { access_token: `token-${++given}`, expires_in: 3600, token_type: 'Bearer' }));
    client = new UpstreamClient();
    account = {
      secrets: [],
      clientEmail: 'gateway@project.iam.gserviceaccount.com',
      privateKey,
      privateKeyId: 'key-1',
      tokenUri: `${tokenServer.url}/token`,
    };
    sign = googleSigner(account, client);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await client.onApplicationShutdown();
    await tokenServer.close();
  });

  it('exchanges an assertion signed by the account, for the scope of all cloud APIs', async () => {
    expect(await sign(request)).toEqual({ authorization: 'Bearer token-1' });
    const [exchange] = tokenServer.requests;
    expect(exchange).toMatchObject({ method: 'POST', path: '/token' });
    const { grant_type: grant, assertion = '' } = formOf(exchange);
    expect(grant).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const [header = '', claims = '', signature = ''] = assertion.split('.');
    expect(decoded(header)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'key-1' });
    const { iat, exp, ...rest } = decoded(claims);
    expect(rest).toEqual({
      iss: account.clientEmail,
      aud: account.tokenUri,
      scope: 'https://www.googleapis.com/auth/cloud-platform',
    });
    expect([Number(exp) - Number(iat), Math.abs(Number(iat) - Date.now() / 1000) < 10]).toEqual([3600, true]);
    const signed = Buffer.from(`${header}.${claims}`);
    expect(verify('sha256', signed, publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
  });

  it('requests one token for concurrent requests, and then signs without waiting', async () => {
    await Promise.all(Array.from({ length: 20 }, () => sign(request)));
    expect(sign(request)).toEqual({ authorization: 'Bearer token-1' });
    expect(tokenServer.requests).toHaveLength(1);
  });

  it('replaces a token shortly before it expires, and uses the old one until then', async () => {
    await sign(request);
    passed = 55 * MINUTE;
    expect(sign(request)).toEqual({ authorization: 'Bearer token-1' });
    expect(sign(request)).toEqual({ authorization: 'Bearer token-1' });
    await eventually(() => authorization(sign) === 'Bearer token-2');
    expect(tokenServer.requests).toHaveLength(2);
  });

  it('does not use a token that is about to expire', async () => {
    await sign(request);
    passed = 59.5 * MINUTE;
    expect(await sign(request)).toEqual({ authorization: 'Bearer token-2' });
  });

  it('keeps using a token while no new one is available, and limits the number of token requests', async () => {
    await sign(request);
    passed = 55 * MINUTE;
    tokenServer.enqueue(json(503, {}));
    for (let call = 0; call < 10; call += 1) expect(sign(request)).toEqual({ authorization: 'Bearer token-1' });
    await tokenServer.received(2);
    expect(sign(request)).toEqual({ authorization: 'Bearer token-1' });
    for (let tries = 0; tries < 15 && authorization(sign) !== 'Bearer token-2'; tries += 1) {
      await sleep(20);
      passed += MINUTE / 5;
    }
    expect(authorization(sign)).toBe('Bearer token-2');
    expect(tokenServer.requests).toHaveLength(3);
  });

  it('reports a refusal as a refused credential with the reason in the log only, and tries again next time', async () => {
    tokenServer.enqueue(json(400, { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' }));
    const error = await failureOf(sign(request));
    expect([error.status, error.advice]).toEqual([502, 'other-target']);
    expect(error.body.message).not.toContain('JWT');
    expect((error.cause as Error).message).toContain('invalid_grant: Invalid JWT Signature.');
    expect(await sign(request)).toEqual({ authorization: 'Bearer token-1' });
  });

  it('reports an unavailable or faulty token server as a failure that can be retried', async () => {
    tokenServer
      .enqueue(json(503, {}))
      .enqueue(reset())
      .enqueue(json(200, { access_token: 'a\nb', expires_in: 3600 }));
    const failures = [await failureOf(sign(request)), await failureOf(sign(request)), await failureOf(sign(request))];
    expect(failures.map(({ advice }) => advice)).toEqual(['retry', 'retry', 'retry']);
  });

  it('never reveals its key in a log', () => {
    const shown = `${inspect(account, { depth: 9, showHidden: true })}${JSON.stringify(account)}`;
    const { d = '' } = privateKey.export({ format: 'jwk' });
    expect(shown).not.toContain('PRIVATE');
    expect(shown).not.toContain(d.slice(0, 20));
  });
});

function authorization(sign: Signer): string | undefined {
  const headers = sign(request);
  return headers instanceof Promise ? undefined : headers.authorization;
}

function formOf(received: ReceivedRequest | undefined): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(received?.body));
}

function decoded(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
}

async function failureOf(signed: unknown): Promise<UpstreamError> {
  const error = await Promise.resolve(signed).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UpstreamError);
  return error as UpstreamError;
}
