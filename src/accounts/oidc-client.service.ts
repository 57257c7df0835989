import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  ResponseBodyError,
} from 'openid-client';
import { createOutboundHttp, type OutboundHttp } from '../common/outbound-http.js';
import { UsageError } from '../common/usage.error.js';
import type { OidcSettings } from '../config/gateway.settings.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import {
  type OidcFlow,
  type OidcIdentity,
  OidcRefusal,
  type OidcRefusalReason,
  type StartedFlow,
} from './oidc.types.js';
import { MAX_NAME_LENGTH, toAddress } from './passwords.js';

const TIMEOUT_S = 10;
/** The provider's metadata is fetched again after this time. */
const METADATA_LIFETIME_MS = 60 * 60_000;

/**
 * The gateway as a client of the company's OpenID provider. The provider is first contacted when someone signs in, so
 * it may be down when the gateway starts; after a failure the next sign-in tries again.
 */
@Injectable()
export class OidcClientService implements OnApplicationShutdown {
  private readonly http: OutboundHttp;
  private known: { readonly configuration: Promise<Configuration>; readonly requestedAt: number } | null = null;

  constructor(@InjectSettings() private readonly settings: Settings) {
    this.http = createOutboundHttp(settings.proxy);
  }

  get provider(): OidcSettings {
    const { oidc } = this.settings.signIn;
    if (!oidc) throw new OidcRefusal('not_configured');
    return oidc;
  }

  /** The URL to send the browser to. */
  async authorizationUrl(provider: OidcSettings, { state, nonce, codeVerifier }: StartedFlow): Promise<string> {
    try {
      const url = buildAuthorizationUrl(await this.configuration(provider), {
        redirect_uri: this.callbackUrl(),
        scope: provider.scopes.join(' '),
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    } catch (error) {
      throw toRefusal(error);
    }
  }

  /**
   * Exchanges the code of the provider's response. The identity comes from the verified ID token, otherwise from
   * userinfo.
   */
  async identity(
    provider: OidcSettings,
    answer: URLSearchParams,
    state: string,
    flow: OidcFlow,
  ): Promise<OidcIdentity> {
    try {
      const configuration = await this.configuration(provider);
      const tokens = await authorizationCodeGrant(configuration, new URL(`${this.callbackUrl()}?${answer}`), {
        expectedState: state,
        expectedNonce: flow.nonce,
        pkceCodeVerifier: flow.codeVerifier,
        idTokenExpected: true,
      });
      const claims: Claims | undefined = tokens.claims();
      if (!claims) throw new OidcRefusal('invalid_answer');
      const identity = toIdentity(claims, provider.groupsClaim);
      if ((identity.email && identity.groups) || !configuration.serverMetadata().userinfo_endpoint) return identity;
      const more = await fetchUserInfo(configuration, tokens.access_token, claims.sub);
      return toIdentity({ ...claims, ...more, iss: claims.iss }, provider.groupsClaim);
    } catch (error) {
      throw toRefusal(error);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.http.close();
  }

  private callbackUrl(): string {
    return `${this.settings.appUrl}/api/oidc/callback`;
  }

  private configuration(provider: OidcSettings): Promise<Configuration> {
    const now = performance.now();
    if (this.known && now - this.known.requestedAt < METADATA_LIFETIME_MS) return this.known.configuration;
    const known = { configuration: this.discover(provider), requestedAt: now };
    this.known = known;
    known.configuration.catch(() => {
      if (this.known === known) this.known = null;
    });
    return known.configuration;
  }

  private discover({ issuer, clientId }: OidcSettings): Promise<Configuration> {
    const isLocal = issuer.startsWith('http:');
    return discovery(new URL(issuer), clientId, {}, clientAuthentication(this.settings.oidcClientSecret), {
      [customFetch]: this.http.fetch,
      timeout: TIMEOUT_S,
      execute: [enableNonRepudiationChecks, ...(isLocal ? [allowInsecureRequests] : [])],
    });
  }
}

/**
 * Providers that state no methods accept the secret in the `Authorization` header; some providers accept it only in the
 * body.
 */
function clientAuthentication(secret: string | null): ClientAuth {
  if (secret === null) return None();
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}

const MAX_DETAIL_LENGTH = 300;

/** Error codes of the client library for a missing or malformed response. */
const NO_ANSWER = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

/** What a failed exchange with the provider means. Its details never contain a code or a token. */
function toRefusal(error: unknown): OidcRefusal {
  if (error instanceof OidcRefusal) return error;
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    const reason = error.error === 'access_denied' ? 'access_denied' : 'provider_refused';
    return refusal(reason, `${error.error}: ${error.error_description ?? 'no description'}`, error);
  }
  if (error instanceof ClientError) {
    const reason = NO_ANSWER.has(error.code ?? '') ? 'provider_unreachable' : 'invalid_answer';
    return refusal(reason, `${error.message} (${error.code})`, error);
  }
  if (error instanceof TypeError) return refusal('provider_unreachable', reasonOf(error), error);
  return refusal('failed', reasonOf(error), error);
}

function refusal(reason: OidcRefusalReason, detail: string, cause: unknown): OidcRefusal {
  return new OidcRefusal(reason, [], detail.slice(0, MAX_DETAIL_LENGTH), { cause });
}

/** The network error is the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };

/** Reads the identity from the claims. Accepts the variants that providers send. */
export function toIdentity(claims: Claims, groupsClaim: string): OidcIdentity {
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: toText(claims.email),
    emailVerified: toBoolean(claims.email_verified),
    name: toText(claims.name) ?? '',
    groups: toGroups(claims[groupsClaim]),
  };
}

/** The e-mail address in its stored form; null if it is missing or not valid. */
export function emailOf({ email }: OidcIdentity): string | null {
  try {
    return email === null ? null : toAddress(email);
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}

/** The name, if it is a valid one. */
export function nameOf({ name }: OidcIdentity): string {
  return name
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, MAX_NAME_LENGTH);
}

function toText(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** Some providers send the string `true`. */
function toBoolean(value: unknown): boolean | null {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : null;
}

/** A single group may come as a plain string. */
function toGroups(value: unknown): string[] | null {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((group) => typeof group === 'string') : null;
}
