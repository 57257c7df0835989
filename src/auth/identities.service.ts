import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';
import { ServiceAccountsService } from '../accounts/service-accounts.service.js';
import { UsersService } from '../accounts/users.service.js';
import { AuditService } from '../audit/audit.service.js';
import { type Actor, GATEWAY } from '../audit/audit.types.js';
import { GatewayError, serviceUnavailable } from '../common/gateway.error.js';
import { createOutboundHttp, type OutboundHttp } from '../common/outbound-http.js';
import { UsageError } from '../common/usage.error.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { ClockService } from '../database/clock.service.js';
import { logFailure } from '../telemetry/failure-log.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { hashApiKey } from './api-key.secret.js';
import {
  type CheckedToken,
  createdOrFound,
  findAccount,
  findPerson,
  findProject,
  type IdentityOwner,
  ownerOf,
  refused,
  textOf,
} from './identities/identity-owner.js';
import type { TokenCheck } from './identities/token-check.js';
import { UnknownKeysService } from './unknown-keys.service.js';

const PROVIDER: Actor = { ...GATEWAY, name: 'identity provider' };
const MAX_NAME_LENGTH = 100;

/** A token that was checked: the hash that stands for its identity in place of a key's, and until when it is valid. */
export interface KnownToken {
  readonly keyHash: string;
  /** Unix ms. */
  readonly until: number;
}

/**
 * Callers with tokens of the company's identity provider (`auth.issuers`). Each subject becomes an identity: a key without a
 * secret, whose hash is that of its issuer, subject and owner.
 */
@Injectable()
export class IdentitiesService implements OnApplicationShutdown {
  private readonly logger = new Logger('Identities');
  private readonly http: OutboundHttp | null;
  private checks: Promise<TokenCheck> | null = null;
  /** By the hash of the token. */
  private readonly tokens: LRUCache<string, KnownToken>;
  private readonly pending = new Map<string, Promise<KnownToken>>();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly audit: AuditService,
    private readonly users: UsersService,
    private readonly accounts: ServiceAccountsService,
    private readonly clock: ClockService,
    private readonly unknown: UnknownKeysService,
    @InjectSettings() private readonly settings: Settings,
  ) {
    const { auth, proxy } = settings;
    this.http = auth.issuers.length > 0 ? createOutboundHttp(proxy) : null;
    this.tokens = new LRUCache({ max: auth.cacheSize });
  }

  /** Whether this is a token, and the gateway trusts an issuer of tokens. */
  accepts(text: string): boolean {
    return this.http !== null && isToken(text);
  }

  isCurrent(until: number): boolean {
    return this.clock.now() < until;
  }

  /** No promise for a known token. Throws, or rejects with, a `GatewayError`. */
  resolve(token: string, address: string | undefined): KnownToken | Promise<KnownToken> {
    const hash = hashApiKey(token);
    const known = this.tokens.get(hash);
    if (known !== undefined && this.isCurrent(known.until)) return known;
    this.unknown.assertMayQuery(address);
    let pending = this.pending.get(hash);
    if (pending === undefined) {
      pending = this.check(token, hash, address).finally(() => this.pending.delete(hash));
      this.pending.set(hash, pending);
    }
    return pending;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.http?.close();
  }

  private async check(token: string, hash: string, address: string | undefined): Promise<KnownToken> {
    try {
      this.checks ??= this.createCheck();
      const check = await this.checks;
      const checked = await check(token, this.clock.now());
      const known = { keyHash: await this.identityOf(checked), until: checked.until };
      this.tokens.set(hash, known);
      return known;
    } catch (error) {
      if (error instanceof GatewayError) {
        if (error.status === 401) this.unknown.note(hash, { seenAt: performance.now(), owner: null }, address);
        throw error;
      }
      logFailure(this.logger, 'A token could not be checked', error);
      throw serviceUnavailable('The token cannot be checked at the moment. Please try again.');
    }
  }

  /** The hash of the token's identity, which is created if it is new. */
  private async identityOf(checked: CheckedToken): Promise<string> {
    const { settings, claims } = checked;
    const owner = ownerOf(checked);
    const keyHash = hashApiKey(JSON.stringify(['identity', settings.issuer, claims.sub, ...textOf(owner)]));
    const [found] = await this.dataSource.query('SELECT 1 FROM api_keys WHERE key_hash = $1', [toBytes(keyHash)]);
    if (!found) await this.create(keyHash, checked, owner);
    return keyHash;
  }

  private async create(keyHash: string, { settings, claims }: CheckedToken, owner: IdentityOwner): Promise<void> {
    const { hostname } = new URL(settings.issuer);
    const { userId, personId } = await this.owners(owner, settings.create, hostname);
    const known = owner.kind === 'person' ? owner.person.email : null;
    const name = (known ?? claims.sub).replaceAll(/\p{Cc}/gu, '').slice(0, MAX_NAME_LENGTH);
    const display = `token of ${hostname}`;
    const values = { userId, personId, name, display, issuer: settings.issuer, subject: claims.sub };
    await this.dataSource.transaction(async (manager) => {
      const insert = manager.createQueryBuilder().insert().into(ApiKeyEntity);
      const { raw } = await insert
        .values({ ...values, keyHash: toBytes(keyHash) })
        .orIgnore()
        .returning('id')
        .execute();
      const [created] = raw as { id: string }[];
      if (!created) return;
      const target = { kind: 'key', id: created.id, name } as const;
      await this.audit.record(manager, PROVIDER, { action: 'key.create', target, after: { userId, name, display } });
    });
  }

  /** The owner of the identity, and the person who uses it if the owner is a service account. */
  private async owners(owner: IdentityOwner, isCreated: boolean, host: string) {
    const { manager } = this.dataSource;
    if (owner.kind === 'service account') {
      const account = await findAccount(manager, await findProject(manager, owner.project), owner.account);
      if (account === undefined) throw refused('is of a service account that does not exist');
      return { userId: account, personId: null };
    }
    const { person, project } = owner;
    const personId = (await findPerson(manager, person)) ?? (isCreated ? await this.createPerson(owner) : undefined);
    if (personId === undefined) throw refused('is of a person who is not a user of this gateway');
    if (project === null) return { userId: personId, personId: null };
    const projectId = await findProject(manager, project);
    const find = () => findAccount(manager, projectId, host);
    const create = () => this.accounts.create(projectId, host, PROVIDER);
    return { userId: (await find()) ?? (await createdOrFound(create, find)), personId };
  }

  private createPerson({ person }: Extract<IdentityOwner, { kind: 'person' }>): Promise<string> {
    const { email, name, issuer, subject, claimed } = person;
    const address = email ?? (claimed.isVerified ? claimed.email : null);
    if (address === null) throw refused('is of a new person without a verified e-mail address');
    const identity = email === null ? { oidcIssuer: issuer, oidcSubject: subject } : null;
    const create = () => this.users.create({ email: address, name, identity }, PROVIDER);
    return createdOrFound(create, () => findPerson(this.dataSource.manager, person)).catch((error) => {
      throw error instanceof UsageError
        ? refused('is of a new person whose e-mail address is invalid or taken')
        : error;
    });
  }

  /** Loads the library with the first token. */
  private async createCheck(): Promise<TokenCheck> {
    const { createTokenCheck } = await import('./identities/token-check.js');
    if (this.http === null) throw new Error('there are no issuers');
    return createTokenCheck(this.settings.auth.issuers, this.http.fetch, (issuer, error) =>
      this.keysFailed(issuer, error),
    );
  }

  private keysFailed(issuer: string, error: unknown): void {
    const { message, cause } = Object(error) as Error;
    const reason = cause instanceof Error ? `${message} (${cause.message})` : message;
    this.logger.warn('The signing keys of an issuer cannot be fetched; known keys are used.', { issuer, reason });
  }
}

/** Three parts, the first of which is a JSON object in base64url. */
function isToken(text: string): boolean {
  return text.startsWith('eyJ') && /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text);
}

function toBytes(hash: string): Buffer {
  return Buffer.from(hash, 'base64url');
}
