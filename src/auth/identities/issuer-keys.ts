import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import type { OutboundHttp } from '../../common/outbound-http.js';
import { type IssuerSettings, isIssuer } from '../../config/gateway.settings.js';

const TIMEOUT_MS = 5000;
/** Unknown keys may be new ones. Callers choose the key's id, so this bounds the requests that they cause. */
const UNKNOWN_KEY_PAUSE_MS = 30_000;
/** While no keys are known at all. */
const FIRST_PAUSE_MS = 5000;
const REFRESH_AFTER_MS = 10 * 60_000;
const VALID_FOR_MS = 24 * 3_600_000;

/** The keys of an issuer cannot be fetched. The message is for the log. */
export class KeysUnavailableError extends Error {}

/** The signing keys of one issuer, from addresses of the settings or of the issuer's own metadata. */
export class IssuerKeys {
  private keys: JWTVerifyGetKey | null = null;
  private loadedAt = 0;
  private triedAt = Number.NEGATIVE_INFINITY;
  private pending: Promise<void> | null = null;

  constructor(
    private readonly settings: Pick<IssuerSettings, 'issuer' | 'jwksUri'>,
    private readonly fetch: OutboundHttp['fetch'],
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** For `jwtVerify`. Fails with `KeysUnavailableError` if no key was ever fetched, or none for a day. */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const now = performance.now();
    if (this.keys === null || now - this.loadedAt > VALID_FOR_MS) await this.loadFirst(now);
    else if (now - this.loadedAt > REFRESH_AFTER_MS && this.mayTry(now)) void this.load().catch(() => undefined);
    try {
      return await this.current(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !(this.pending || this.mayTry(performance.now())))
        throw error;
      await this.load().catch(() => undefined);
      return this.current(header, token);
    }
  };

  private get current(): JWTVerifyGetKey {
    if (this.keys === null) throw new KeysUnavailableError('There are no keys.');
    return this.keys;
  }

  private mayTry(now: number): boolean {
    return now - this.triedAt >= UNKNOWN_KEY_PAUSE_MS;
  }

  private async loadFirst(now: number): Promise<void> {
    this.keys = null;
    if (this.pending === null && now - this.triedAt < FIRST_PAUSE_MS) {
      throw new KeysUnavailableError('The last attempt failed just now.');
    }
    await this.load();
  }

  private load(): Promise<void> {
    this.pending ??= this.request().finally(() => {
      this.pending = null;
    });
    return this.pending;
  }

  private async request(): Promise<void> {
    this.triedAt = performance.now();
    try {
      const jwks = await this.json(this.settings.jwksUri ?? (await this.discovered()));
      this.keys = createLocalJWKSet(jwks as Parameters<typeof createLocalJWKSet>[0]);
      this.loadedAt = performance.now();
    } catch (error) {
      this.onFailure(error);
      throw new KeysUnavailableError('The keys cannot be fetched.', { cause: error });
    }
  }

  private async discovered(): Promise<string> {
    const { issuer } = this.settings;
    const metadata = await this.json(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    const { issuer: stated, jwks_uri: uri } = Object(metadata) as Record<string, unknown>;
    if (stated !== issuer) throw new Error("The issuer's metadata states another issuer.");
    if (typeof uri !== 'string' || !isIssuer(uri)) throw new Error("The issuer's metadata has no usable jwks_uri.");
    return uri;
  }

  private async json(url: string): Promise<unknown> {
    const response = await this.fetch(url, {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Error(`${url} answered with ${response.status}.`);
    }
    return response.json();
  }
}
