import { type KeyObject, sign } from 'node:crypto';
import { firstValueFrom, switchMap } from 'rxjs';
import type { Credential } from '../../../config/upstream-protocol.js';
import { parseIfJson } from '../../../json/exact-json.js';
import { isObject, type ReadonlyJsonObject } from '../../contract/json.js';
import { UpstreamError } from '../../contract/upstream.error.js';
import type { CredentialHeaders, Signer } from '../../contract/upstream.types.js';
import { readAll } from '../read-all.js';
import type { UpstreamClient } from '../upstream.client.js';

/** Fractions of a token's lifetime: after the first, a new token is requested; after the second, it is not used. */
const REPLACE_AFTER = 0.9;
const UNUSED_AFTER = 0.98;

/** ms between attempts to replace a token. */
const REPLACE_PAUSE = 10_000;

interface CachedToken {
  readonly headers: CredentialHeaders;
  /** Instants of `performance.now()`. */
  replaceAt: number;
  readonly unusedAt: number;
}

/**
 * `Authorization: Bearer` with an access token of a service account. Requests wait for a token only if there is no
 * valid one; all share a single token request. Later tokens are requested while the previous one is still valid.
 */
export function googleSigner(account: GoogleCredential, client: UpstreamClient): Signer {
  let cached: CachedToken | null = null;
  let pending: Promise<CredentialHeaders> | null = null;

  async function exchange(): Promise<CredentialHeaders> {
    const from = performance.now();
    const { value, lifetimeMs } = await requestAccessToken(account, client);
    const headers = { authorization: `Bearer ${value}` };
    cached = { headers, replaceAt: from + lifetimeMs * REPLACE_AFTER, unusedAt: from + lifetimeMs * UNUSED_AFTER };
    return headers;
  }

  function refresh(): Promise<CredentialHeaders> {
    pending ??= exchange().finally(() => {
      pending = null;
    });
    return pending;
  }

  return () => {
    const now = performance.now();
    if (cached === null || now >= cached.unusedAt) return refresh();
    if (now >= cached.replaceAt) {
      cached.replaceAt = now + REPLACE_PAUSE;
      refresh().catch(() => undefined);
    }
    return cached.headers;
  };
}

/** A service account. Its key is a key object, which logs do not reveal. */
export interface GoogleCredential extends Credential {
  readonly clientEmail: string;
  readonly privateKey: KeyObject;
  readonly privateKeyId: string | null;
  /** The address that exchanges a signed assertion for an access token. */
  readonly tokenUri: string;
}

export interface AccessToken {
  readonly value: string;
  readonly lifetimeMs: number;
}

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const ASSERTION_LIFETIME_S = 3600;
const CLOCKS = { connect: 5000, head: 10_000, firstEvent: 10_000, idle: 5000, total: 15_000 };
const MAX_ANSWER_BYTES = 64 * 1024;

/** Exchanges an assertion signed by a service account for an access token. Fails with `UpstreamError`. */
function requestAccessToken(account: GoogleCredential, client: UpstreamClient): Promise<AccessToken> {
  const form = new URLSearchParams({ grant_type: GRANT, assertion: assertionOf(account) });
  const answer = client
    .send({
      upstream: `token of ${account.clientEmail}`,
      method: 'POST',
      url: account.tokenUri,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: form.toString(),
      clocks: CLOCKS,
      streamed: false,
      deadline: performance.now() + CLOCKS.total,
    })
    .pipe(
      switchMap(({ status, body }) =>
        readAll(body, MAX_ANSWER_BYTES, (bytes) => tokenOf(status, bytes.toString('utf8')), 'cut'),
      ),
    );
  return firstValueFrom(answer);
}

/** A JSON Web Token signed by the account, for one exchange. */
function assertionOf({ clientEmail, privateKey, privateKeyId, tokenUri }: GoogleCredential): string {
  const now = Math.floor(Date.now() / 1000);
  const header = { alg: 'RS256', typ: 'JWT', ...(privateKeyId !== null && { kid: privateKeyId }) };
  const claims = { iss: clientEmail, scope: SCOPE, aud: tokenUri, iat: now, exp: now + ASSERTION_LIFETIME_S };
  const content = `${encoded(header)}.${encoded(claims)}`;
  return `${content}.${sign('sha256', Buffer.from(content), privateKey).toString('base64url')}`;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function tokenOf(status: number, text: string): AccessToken {
  const parsed = parseIfJson(text);
  const answer = isObject(parsed) ? parsed : {};
  if (status !== 200) throw refused(status, answer);
  const { access_token: value, expires_in: seconds } = answer;
  if (typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) && typeof seconds === 'number' && seconds > 0) {
    return { value, lifetimeMs: seconds * 1000 };
  }
  throw new UpstreamError({ status: 502 }, { cause: new Error('The token server sent no access token.') });
}

/** A refused credential, unless the status means a temporary failure or a failure of the server. */
function refused(status: number, { error, error_description: description }: ReadonlyJsonObject): UpstreamError {
  const words = [error, description].filter((word) => typeof word === 'string').join(': ');
  const cause = new Error(`The token server refused the service account with ${status}. ${words}`.trim());
  return new UpstreamError({ status, credentialRefused: status < 500 && status !== 408 && status !== 429 }, { cause });
}
