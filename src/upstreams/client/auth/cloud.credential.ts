import type { Credential } from '../../../config/upstream-protocol.js';
import { UpstreamError } from '../../contract/upstream.error.js';
import type { Signer } from '../../contract/upstream.types.js';

/** A credential from a cloud, with its end. */
export interface CloudGrant {
  readonly sign: Signer;
  /** Removed from errors and logs. */
  readonly secrets: readonly string[];
  /** Null: it does not end. */
  readonly endsAt: Date | null;
  /** Where it comes from, for operators: "the role arn:aws:iam::1:role/gateway, assumed with instance metadata". */
  readonly source: string;
}

type IdentityOptions = Readonly<Record<string, string | null>>;

/** An identity of the gateway at a cloud, whose credentials are fetched and renewed while it runs. */
export class CloudIdentity implements Credential {
  /** The credential in use. Private, so that it does not count as a change of the settings. */
  #credential: CloudCredential | null = null;
  readonly #load: () => Promise<CloudGrant>;

  /** `options` say which identity it is; they contain no secret. */
  constructor(
    readonly kind: 'aws' | 'azure' | 'google',
    readonly options: IdentityOptions,
    load: () => Promise<CloudGrant>,
  ) {
    this.#load = load;
  }

  get secrets(): readonly string[] {
    return this.#credential?.secrets ?? [];
  }

  get id(): string {
    return JSON.stringify([this.kind, this.options]);
  }

  request(): Promise<CloudGrant> {
    return this.#load();
  }

  use(credential: CloudCredential): void {
    this.#credential = credential;
  }
}

export interface CredentialState {
  /** Null: none was fetched so far. */
  readonly source: string | null;
  readonly expiresAt: Date | null;
  readonly isValid: boolean;
  /** Why the last attempt to fetch it failed, and since when they fail; null: it worked, or none has ended. */
  readonly failure: { readonly since: Date; readonly reason: string } | null;
  /** The `performance.now()` of the next attempt. */
  readonly nextAt: number;
}

/** A library may try for longer than this, but nobody waits for it. */
const FETCH_LIMIT_MS = 30_000;
const FIRST_RETRY_MS = 5000;
const MAX_RETRY_MS = 60_000;
/** Clouds and their libraries return the previous credential until about five minutes before its end. */
const CLOUD_CACHE_MS = 295_000;
/** The longest delay of a timer. */
const MAX_DELAY_MS = 2 ** 31 - 1;
/** Not used in its last moments, as the request takes time and clocks differ. */
const UNUSED_SHARE = 0.02;

/**
 * Fetches the credential of an identity, and renews it in the background after three quarters of its time, by one
 * request at a time. Calls wait only while there is no valid one and a request is under way.
 */
export class CloudCredential {
  private grant: CloudGrant | null = null;
  private validUntil = 0;
  private failure: CredentialState['failure'] = null;
  private failures = 0;
  private nextAt = 0;
  private pending: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  /** `report` is called after each attempt, and when a credential has ended. */
  constructor(
    private readonly identity: CloudIdentity,
    private readonly report: (state: CredentialState) => void = () => undefined,
  ) {
    identity.use(this);
  }

  get secrets(): readonly string[] {
    return this.grant?.secrets ?? [];
  }

  readonly sign: Signer = (request) => {
    if (this.grant !== null && performance.now() < this.validUntil) return this.grant.sign(request);
    return this.awaited().then((grant) => grant.sign(request));
  };

  state(): CredentialState {
    const { grant, failure, nextAt } = this;
    const isValid = grant !== null && performance.now() < this.validUntil;
    return { source: grant?.source ?? null, expiresAt: grant?.endsAt ?? null, isValid, failure, nextAt };
  }

  /** Fetches a credential, or joins the attempt that is under way. Never fails; see `state`. */
  renew(): Promise<void> {
    this.pending ??= this.attempt().finally(() => {
      this.pending = null;
    });
    return this.pending;
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private async awaited(): Promise<CloudGrant> {
    if (this.pending !== null || this.failure === null || performance.now() >= this.nextAt) await this.renew();
    if (this.grant !== null && performance.now() < this.validUntil) return this.grant;
    const cause = new Error(`There is no valid credential. ${this.failure?.reason ?? ''}`.trim());
    throw new UpstreamError({ status: 401, credentialRefused: true, credentialMissing: true }, { cause });
  }

  private async attempt(): Promise<void> {
    const { grant: previous } = this;
    try {
      const grant = await withinLimit(this.identity.request());
      const lifetime = grant.endsAt === null ? Number.POSITIVE_INFINITY : grant.endsAt.getTime() - Date.now();
      if (!(lifetime > 0)) throw new Error('The cloud sent a credential that has already ended.');
      const isSame = grant.endsAt !== null && previous?.endsAt?.getTime() === grant.endsAt.getTime();
      this.grant = grant;
      this.validUntil = performance.now() + lifetime * (1 - UNUSED_SHARE);
      this.failure = null;
      this.failures = 0;
      this.schedule(isSame ? delayOfSame(lifetime) : lifetime * 0.75);
    } catch (error) {
      this.failure = { since: this.failure?.since ?? new Date(), reason: reasonOf(error) };
      this.schedule(Math.min(FIRST_RETRY_MS * 2 ** this.failures++, MAX_RETRY_MS));
    }
    this.report(this.state());
  }

  /** Also wakes when the credential ends, so that this is reported at once. */
  private schedule(delay: number): void {
    if (this.isStopped || !Number.isFinite(delay)) return;
    const now = performance.now();
    this.nextAt = now + delay;
    const end = this.validUntil > now ? this.validUntil - now : delay;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.wake(), Math.min(delay, end + 1, MAX_DELAY_MS)).unref();
  }

  private wake(): void {
    const remaining = this.nextAt - performance.now();
    if (remaining <= 1) {
      void this.renew();
      return;
    }
    this.report(this.state());
    this.schedule(remaining);
  }
}

/** The cloud returned the previous credential again: it has no newer one yet. */
function delayOfSame(lifetime: number): number {
  const early = Math.min(lifetime * 0.75, lifetime - CLOUD_CACHE_MS);
  return early > FIRST_RETRY_MS ? early : Math.max(lifetime / 4, 250);
}

async function withinLimit<Result>(result: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    const end = () => reject(new Error(`The cloud did not answer within ${FETCH_LIMIT_MS / 1000} seconds.`));
    timer = setTimeout(end, FETCH_LIMIT_MS);
  });
  try {
    return await Promise.race([result, limit]);
  } finally {
    clearTimeout(timer);
  }
}

const MAX_REASON_LENGTH = 300;

/** The first line of an error and its cause, without tokens. */
function reasonOf(error: unknown): string {
  const { message = '', cause, code, errors } = Object(error) as Error & { code?: string; errors?: unknown[] };
  const inner = cause ?? errors?.[0];
  const own = message || code || String(error);
  const deeper = inner instanceof Error && !own.includes(inner.message) ? ` (${inner.message || inner.name})` : '';
  const text = `${own.split('\n')[0]}${deeper.split('\n')[0]}`.replaceAll(/eyJ[\w-]{8,}(?:\.[\w-]+)*/g, '[removed]');
  return text.slice(0, MAX_REASON_LENGTH);
}
