import { decodeJwt, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { serviceUnavailable } from '../../common/gateway.error.js';
import type { OutboundHttp } from '../../common/outbound-http.js';
import type { IssuerSettings } from '../../config/gateway.settings.js';
import { type CheckedToken, type Claims, claimOf, refused, textsOf } from './identity-owner.js';
import { IssuerKeys, KeysUnavailableError } from './issuer-keys.js';

/** Never `none`, nor HMAC, whose secret would be the public key. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA'];
/** Clocks differ. */
const SKEW_S = 30;

interface TrustedIssuer {
  readonly settings: IssuerSettings;
  readonly keys: JWTVerifyGetKey;
}

export type TokenCheck = (token: string, nowMs: number) => Promise<CheckedToken>;

/** Checks tokens of these issuers, whose keys are fetched when the first one comes. */
export function createTokenCheck(
  issuers: readonly IssuerSettings[],
  fetch: OutboundHttp['fetch'],
  onFailure: (issuer: string, error: unknown) => void,
): TokenCheck {
  const trusted = issuers.map((settings) => {
    return { settings, keys: new IssuerKeys(settings, fetch, (error) => onFailure(settings.issuer, error)).find };
  });
  return (token, nowMs) => checkToken(token, trusted, nowMs);
}

/** Throws a 401 that says what is wrong, without any part of the token, or a 503 if it cannot be checked. */
async function checkToken(token: string, issuers: readonly TrustedIssuer[], nowMs: number): Promise<CheckedToken> {
  const issuer = issuers.find(({ settings }) => settings.issuer === issuerOf(token));
  if (!issuer) throw refused('is of an issuer that this gateway does not trust. An administrator sets `auth.issuers`');
  const { settings } = issuer;
  const claims = await verified(token, issuer, nowMs).catch((error) => {
    throw refusalOf(error, settings);
  });
  for (const [name, values] of Object.entries(settings.require)) {
    if (!textsOf(claimOf(claims, name)).some((value) => values.includes(value))) {
      throw refused(`lacks a required value of the claim \`${name}\`: one of ${values.join(', ')}`);
    }
  }
  return { settings, claims, until: (claims.exp + SKEW_S) * 1000 };
}

async function verified(token: string, { settings, keys }: TrustedIssuer, nowMs: number): Promise<Claims> {
  const options = {
    issuer: settings.issuer,
    audience: settings.audience,
    algorithms: ALGORITHMS,
    clockTolerance: SKEW_S,
    requiredClaims: ['exp', 'sub'],
    currentDate: new Date(nowMs),
  };
  try {
    return (await jwtVerify<Claims>(token, keys, options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    // The token names no key, and several are of its kind.
    for await (const key of error) {
      try {
        return (await jwtVerify<Claims>(token, key, options)).payload;
      } catch (failed) {
        if (!(failed instanceof errors.JWSSignatureVerificationFailed)) throw failed;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    throw refused('cannot be read');
  }
}

function refusalOf(error: unknown, { audience }: IssuerSettings): unknown {
  if (error instanceof errors.JWTExpired) return refused('has expired. Get a new one from the identity provider');
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim, reason } = error;
    if (claim === 'aud') return refused(`is for another audience than ${audience.join(' or ')}`);
    if (claim === 'nbf' && reason === 'check_failed') return refused('is not valid yet');
    return refused(`has no valid claim \`${claim}\``);
  }
  if (error instanceof errors.JOSEAlgNotAllowed) return refused(`is not signed with one of ${ALGORITHMS.join(', ')}`);
  if (error instanceof errors.JWKSNoMatchingKey) return refused('is signed with a key that its issuer does not have');
  if (error instanceof errors.JWSSignatureVerificationFailed) return refused('has an invalid signature');
  if (error instanceof KeysUnavailableError) {
    return serviceUnavailable("The keys of the token's issuer cannot be fetched at the moment. Please try again.");
  }
  return error instanceof errors.JOSEError ? refused('cannot be read') : error;
}
