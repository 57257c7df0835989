import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Subject } from 'rxjs';
import { InjectSettings, type Settings } from '../config/settings.js';
import type { UpstreamSettings } from '../config/upstreams.settings.js';
import { CloudCredential, CloudIdentity, type CredentialState } from './client/auth/cloud.credential.js';
import type { Signer } from './contract/upstream.types.js';
import { TargetHealthService } from './target-health.service.js';

export type { CredentialState } from './client/auth/cloud.credential.js';

/** A valid credential can no longer be renewed, or can again. */
export interface CredentialRenewal {
  readonly upstream: string;
  readonly isFailing: boolean;
  readonly expiresAt: Date | null;
}

/** How long an attempt to get a credential may take. */
const ATTEMPT_MS = 35_000;
/** Reloaded settings may have other identities. */
const LOOK_MS = 2000;

interface Known {
  readonly id: string;
  readonly credential: CloudCredential;
  isFailing: boolean;
}

/** The credentials of upstreams from clouds: fetched at the start, and renewed while the gateway runs. */
@Injectable()
export class CloudCredentialsService implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly renewals = new Subject<CredentialRenewal>();
  private readonly logger = new Logger('CloudCredentials');
  /** By the upstream's name. They outlive a reload that does not change the identity. */
  private readonly known = new Map<string, Known>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly health: TargetHealthService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /** Does not wait for the credentials: the first calls do. */
  onApplicationBootstrap(): void {
    this.follow();
    this.timer = setInterval(() => this.follow(), LOOK_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
    for (const { credential } of this.known.values()) credential.stop();
  }

  signerOf(upstream: string, identity: CloudIdentity): Signer {
    return this.of(upstream, identity).credential.sign;
  }

  /** Null: the upstream has no credential of a cloud. */
  stateOf({ name, credential }: UpstreamSettings): CredentialState | null {
    return credential instanceof CloudIdentity ? this.of(name, credential).credential.state() : null;
  }

  /** That the upstream's credential is not renewed, although it is still valid; null otherwise. */
  warningOf(upstream: UpstreamSettings): string | null {
    const state = this.stateOf(upstream);
    if (!state?.isValid || state.failure === null) return null;
    const end = state.expiresAt ? ` It is valid until ${state.expiresAt.toISOString()}.` : '';
    return `The credential of ${upstream.name} cannot be renewed: ${state.failure.reason.replace(/\.?$/, '.')}${end}`;
  }

  /** Starts the credentials of new identities, and stops those of removed ones. */
  private follow(): void {
    for (const { name, credential } of this.settings.upstreams.values()) {
      if (credential instanceof CloudIdentity) this.of(name, credential);
    }
    for (const [name, { credential }] of this.known) {
      if (this.settings.upstreams.get(name)?.credential instanceof CloudIdentity) continue;
      credential.stop();
      this.known.delete(name);
      this.health.setNoCredential(name, null);
    }
  }

  private of(upstream: string, identity: CloudIdentity): Known {
    const { id } = identity;
    const known = this.known.get(upstream);
    if (known?.id === id) {
      identity.use(known.credential);
      return known;
    }
    known?.credential.stop();
    const credential = new CloudCredential(identity, (state) => this.tell(upstream, created, state));
    const created: Known = { id, credential, isFailing: false };
    this.known.set(upstream, created);
    void credential.renew();
    return created;
  }

  private tell(upstream: string, known: Known, { isValid, failure, nextAt, ...state }: CredentialState): void {
    if (this.known.get(upstream) !== known) return;
    const { source, expiresAt } = state;
    if (failure) {
      const text = isValid
        ? 'The credential of an upstream cannot be renewed; the previous one is used.'
        : 'There is no valid credential for an upstream, which is set aside.';
      this.logger[isValid ? 'warn' : 'error'](text, { upstream, reason: failure.reason, expiresAt });
    } else if (isValid) {
      this.logger.log('The credential of an upstream was fetched.', { upstream, source, expiresAt });
    }
    this.health.setNoCredential(upstream, isValid ? null : nextAt + ATTEMPT_MS);
    const isFailing = failure !== null && isValid;
    // Without a valid one, the alert says that the upstream is set aside.
    if (isFailing !== known.isFailing && isValid) this.renewals.next({ upstream, isFailing, expiresAt });
    if (isValid) known.isFailing = isFailing;
  }
}
