import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository, SelectQueryBuilder } from 'typeorm';
import { isPermission, PERMISSION_NAMES, type Permission } from '../accounts/permissions.js';
import type { UserKind } from '../accounts/user.types.js';
import { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../audit/audit.types.js';
import { AddressList } from '../common/address-list.js';
import { NotFoundError, UsageError } from '../common/usage.error.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { ClockService } from '../database/clock.service.js';
import { behindPlace, type ListPlace, placeOfCursor, type SortBy, searchPatterns } from '../database/lists.js';
import { AccessTokenEntity } from './access-token.entity.js';
import { tokenRules } from './api-key.rules.js';
import { displayApiKey, hashApiKey, newAccessToken } from './api-key.secret.js';

/** An access token without its secret. */
export type AccessToken = Omit<AccessTokenEntity, 'tokenHash'>;

export interface NewAccessToken {
  readonly userId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly addresses?: readonly string[] | null | undefined;
  /** Undefined: after the default lifetime of the policy. */
  readonly expiresAt?: Date | undefined;
}

/** What an access token may create: nothing that can do more, or lives longer, than itself. */
export interface TokenBounds {
  readonly addresses: readonly string[] | null;
  readonly expiresAt: Date;
}

export interface TokenFilter {
  /** Null: everyone's. */
  readonly userId: string | null;
  readonly name?: string | undefined;
  readonly text: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Tokens of one user that are neither revoked nor expired. */
const MAX_LIVE = 100;
const CREATED: SortBy = { sql: 't.created_at', type: 'timestamptz' };

/**
 * Creates, lists, changes and revokes access tokens. A token is read from the database at each use, so a change applies
 * to the next request in every process. Methods throw a `UsageError` for invalid input.
 */
@Injectable()
export class AccessTokensService {
  constructor(
    @InjectRepository(AccessTokenEntity) private readonly tokens: Repository<AccessTokenEntity>,
    private readonly audit: AuditService,
    private readonly clock: ClockService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /** `bounds`: of the token that creates it. */
  async create(input: NewAccessToken, actor: Actor, bounds?: TokenBounds): Promise<AccessToken & { token: string }> {
    const { userId } = input;
    const token = newAccessToken();
    const values = {
      userId,
      name: tokenRules.name(input.name),
      scopes: toScopes(input.scopes),
      addresses: toAddresses(input.addresses ?? bounds?.addresses ?? null, bounds),
      expiresAt: this.toExpiry(input.expiresAt, bounds),
      display: displayApiKey(token),
    };
    const created = await this.tokens.manager.transaction(async (manager) => {
      await this.assertOwner(manager, userId, values.scopes);
      const tokenHash = Buffer.from(hashApiKey(token), 'base64url');
      const { id } = await manager.save(AccessTokenEntity, { ...values, tokenHash, createdBy: actor.id });
      const saved = await manager.findOneByOrFail(AccessTokenEntity, { id });
      await this.record(manager, actor, 'token.create', saved, null, values);
      return saved;
    });
    return { ...created, token };
  }

  async get(id: string): Promise<AccessToken> {
    const found = UUID.test(id) ? await this.tokens.findOneBy({ id }) : null;
    if (!found) throw new NotFoundError('There is no access token with this id.');
    return found;
  }

  /** Newest first; `cursor`: the position of the previous page's last token, or null. */
  async page(filter: TokenFilter, cursor: string | null, limit: number) {
    const place = cursor === null ? null : placeOfCursor(cursor, CREATED);
    const behind = behindPlace({ sort: CREATED, descending: true, id: 't.id', place, firstParameter: 1 });
    const names = Object.fromEntries(behind.values.map((value, at) => [`p${at + 1}`, value]));
    const { entities, raw } = await this.matching(filter)
      .addSelect('t.created_at::text', 'value')
      .andWhere(behind.condition.replace(/\$(\d)/g, ':p$1'), names)
      .orderBy('t.created_at', 'DESC')
      .addOrderBy('t.id', 'DESC')
      .limit(limit)
      .getRawAndEntities<{ value: string }>();
    return entities.map((token, at) => ({
      token,
      place: { id: token.id, value: raw[at]?.value ?? null } as ListPlace,
    }));
  }

  async count(filter: TokenFilter): Promise<{ count: number; isExact: boolean }> {
    return { count: await this.matching(filter).getCount(), isExact: true };
  }

  async update(
    id: string,
    { name, addresses }: { name?: string | undefined; addresses?: readonly string[] | null | undefined },
    actor: Actor,
    bounds?: TokenBounds,
  ): Promise<AccessToken> {
    return this.tokens.manager.transaction(async (manager) => {
      const token = await this.locked(manager, id);
      if (token.revokedAt) throw new UsageError('This access token is revoked and can no longer be changed.');
      const after = {
        ...(name !== undefined && { name: tokenRules.name(name) }),
        ...(addresses !== undefined && { addresses: toAddresses(addresses, bounds) }),
      };
      if (Object.keys(after).length === 0) return token;
      const before = {
        ...('name' in after && { name: token.name }),
        ...('addresses' in after && { addresses: token.addresses }),
      };
      await manager.update(AccessTokenEntity, { id }, after);
      await this.record(manager, actor, 'token.update', token, before, after);
      return { ...token, ...after };
    });
  }

  /** Permanent. A revoked token stays unchanged. */
  async revoke(id: string, actor: Actor): Promise<AccessToken> {
    return this.tokens.manager.transaction(async (manager) => {
      const token = await this.locked(manager, id);
      if (token.revokedAt) return token;
      const revokedAt = this.clock.date();
      await manager.update(AccessTokenEntity, { id }, { revokedAt });
      await this.record(manager, actor, 'token.revoke', token);
      return { ...token, revokedAt };
    });
  }

  private matching({ userId, name, text }: TokenFilter): SelectQueryBuilder<AccessTokenEntity> {
    const query = this.tokens.createQueryBuilder('t').where('true');
    if (userId !== null) query.andWhere('t.user_id = :userId', { userId });
    if (name !== undefined) query.andWhere('t.name = :name', { name });
    searchPatterns(text).forEach((pattern, at) => {
      query.andWhere(`t.name || ' ' || t.display ILIKE :word${at}`, { [`word${at}`]: pattern });
    });
    return query;
  }

  private async locked(manager: EntityManager, id: string): Promise<AccessTokenEntity> {
    const where = { id: (await this.get(id)).id };
    return manager.findOneOrFail(AccessTokenEntity, { where, lock: { mode: 'pessimistic_write' } });
  }

  /** Whether the owner may have another token with these scopes. */
  private async assertOwner(manager: EntityManager, userId: string, scopes: readonly Permission[]): Promise<void> {
    const [owner]: { kind: UserKind; permissions: Permission[] }[] = await manager.query(
      'SELECT kind, permissions FROM users WHERE id = $1 FOR NO KEY UPDATE',
      [userId],
    );
    const missing = owner?.kind === 'service' ? scopes.filter((scope) => !owner.permissions.includes(scope)) : [];
    if (missing.length > 0) {
      throw new UsageError(
        `The service account does not have the permission ${missing.join(', ')}. An administrator can give it.`,
        'scopes',
      );
    }
    const live = manager.createQueryBuilder(AccessTokenEntity, 't').where('t.user_id = :userId', { userId });
    const count = await live
      .andWhere('t.revoked_at IS NULL AND t.expires_at > :now', { now: this.clock.date() })
      .getCount();
    if (count < MAX_LIVE) return;
    throw new UsageError(`This user already has ${MAX_LIVE} access tokens, the maximum. Revoke one first.`);
  }

  private toExpiry(expiresAt: Date | undefined, bounds: TokenBounds | undefined): Date {
    const { defaultLifetime, maxLifetime } = this.settings.tokenPolicy;
    const now = this.clock.date();
    const latest = bounds?.expiresAt;
    if (expiresAt === undefined) {
      const standard = new Date(now.getTime() + Math.min(defaultLifetime, maxLifetime));
      return latest && latest < standard ? latest : standard;
    }
    if (latest && expiresAt > latest) {
      throw new UsageError('A token cannot create one that expires after itself.', 'expiresAt');
    }
    return tokenRules.expiry(expiresAt, now, maxLifetime, now) ?? expiresAt;
  }

  private async record(
    manager: EntityManager,
    actor: Actor,
    action: string,
    { id, name }: AccessToken,
    before: Record<string, unknown> | null = null,
    after: Record<string, unknown> | null = null,
  ): Promise<void> {
    await this.audit.record(manager, actor, { action, target: { kind: 'token', id, name }, before, after });
  }
}

function toScopes(scopes: readonly string[]): Permission[] {
  if (scopes.length === 0) throw new UsageError('An access token needs at least one scope.', 'scopes');
  return [...new Set(scopes)].map((scope, index) => {
    if (isPermission(scope)) return scope;
    throw new UsageError(`There is no such scope. The scopes are ${PERMISSION_NAMES.join(', ')}.`, `scopes[${index}]`);
  });
}

function toAddresses(addresses: readonly string[] | null, bounds: TokenBounds | undefined): string[] | null {
  const checked = tokenRules.addresses(addresses);
  if (!bounds?.addresses) return checked;
  const allowed = new AddressList(bounds.addresses);
  if (checked?.every((address) => allowed.covers(address))) return checked;
  throw new UsageError('A token cannot allow addresses from which it cannot be used itself.', 'addresses');
}
