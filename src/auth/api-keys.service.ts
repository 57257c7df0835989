import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindOptionsWhere, In, IsNull, MoreThan, type Repository } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../audit/audit.types.js';
import { NotFoundError, UsageError } from '../common/usage.error.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { notifyCallerChanged } from '../database/changes.service.js';
import { ClockService } from '../database/clock.service.js';
import { KeyLimitsService } from '../limits/settings/limit-settings.service.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { assertKeyQuota, checkMayEnable, checkWithin, isTakingOver, keyRules, toBounds } from './api-key.rules.js';
import { newSecret } from './api-key.secret.js';
import type {
  ApiKey,
  ApiKeyChanges,
  ApiKeyRef,
  BulkKeyChange,
  CreatedApiKey,
  NewApiKey,
  RotationOverlap,
} from './api-key.types.js';
import { toApiKey, toAudited } from './key-list.service.js';
import { replaceSecret } from './previous-secrets.service.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HOUR_MS = 3_600_000;
const OVERLAP_MS: Record<RotationOverlap, number> = {
  none: 0,
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 168 * HOUR_MS,
};

type KeyChangeWork = (manager: EntityManager, entity: ApiKeyEntity) => Promise<void>;

/**
 * Creates, lists and changes API keys; every process applies changes within a second. Methods throw a `UsageError` for
 * invalid input, and a `NotFoundError` for a key that does not exist or is not the owner's.
 */
@Injectable()
export class ApiKeysService {
  constructor(
    @InjectRepository(ApiKeyEntity) private readonly keys: Repository<ApiKeyEntity>,
    private readonly audit: AuditService,
    private readonly limits: KeyLimitsService,
    private readonly clock: ClockService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  async create(input: NewApiKey, actor: Actor): Promise<CreatedApiKey> {
    const { userId, name, note = '', models = null, addresses = null, byManager = false } = input;
    const isOwn = byManager || actor.id === userId;
    const { key, stored } = newSecret();
    const values = {
      userId,
      name: keyRules.name(name),
      note: keyRules.note(note),
      models: keyRules.models(models),
      addresses: keyRules.addresses(addresses),
      expiresAt: this.firstExpiry(input.expiresAt),
    };
    return this.keys.manager.transaction(async (manager) => {
      await this.checkRoom(manager, userId);
      const { expiresAt = undefined } = input;
      const bounds = toBounds({ ...values, expiresAt }, isOwn, actor);
      const { id } = await manager.save(ApiKeyEntity, { ...values, ...stored, ...bounds });
      const created = this.toApiKey(await manager.findOneByOrFail(ApiKeyEntity, { id }));
      const set = await this.limits.change(manager, created, input.limits ?? {}, isOwn);
      await this.record(manager, actor, 'key.create', created, null, { ...toAudited(created), ...set?.after });
      return { ...created, key };
    });
  }

  /** Key → the user it belongs to. Ids that belong to no key, or are not UUIDs, are missing. */
  async ownersOf(ids: readonly string[]): Promise<Map<string, string>> {
    const where = { id: In(ids.filter((id) => UUID.test(id))), kind: 'user' as const };
    const found = await this.keys.find({ select: { id: true, userId: true }, where });
    return new Map(found.map(({ id, userId }) => [id, userId]));
  }

  async get(ref: ApiKeyRef): Promise<ApiKey> {
    const found = await this.keys.findOneBy(whereOf(ref));
    if (!found) throw unknownKey();
    return this.toApiKey(found);
  }

  /** Usable keys per user; users without any are missing. */
  async countActiveByUser(userIds: readonly string[]): Promise<Map<string, number>> {
    if (userIds.length === 0) return new Map();
    const usable = { kind: 'user' as const, userId: In([...userIds]), revokedAt: IsNull(), disabledAt: IsNull() };
    const rows = await this.keys
      .createQueryBuilder('key')
      .select('key.userId', 'userId')
      .addSelect('count(*)::int', 'count')
      .where([
        { ...usable, expiresAt: IsNull() },
        { ...usable, expiresAt: MoreThan(this.clock.date()) },
      ])
      .groupBy('key.userId')
      .getRawMany<{ userId: string; count: number }>();
    return new Map(rows.map(({ userId, count }) => [userId, count]));
  }

  async update(ref: ApiKeyRef, changes: ApiKeyChanges, actor: Actor): Promise<ApiKey> {
    return this.change(ref, (manager, entity) => this.applyChanges(manager, entity, ref, changes, actor));
  }

  async changeAll(refs: readonly ApiKeyRef[], change: BulkKeyChange, actor: Actor): Promise<ApiKey[]> {
    // A fixed order prevents deadlocks.
    const ordered = refs.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return this.keys.manager.transaction(async (manager) => {
      const changed: ApiKey[] = [];
      for (const ref of ordered) {
        changed.push(
          await this.changeIn(manager, ref, (_, entity) =>
            change === 'revoke'
              ? this.applyRevocation(manager, entity, actor)
              : this.applyChanges(manager, entity, ref, { disabled: change === 'disable' }, actor),
          ),
        );
      }
      return changed;
    });
  }

  /** Creates a new secret. The previous one stays valid for the overlap; the one before that stops working. */
  async rotate(ref: ApiKeyRef, overlap: RotationOverlap, actor: Actor): Promise<CreatedApiKey> {
    const { key, stored } = newSecret();
    const rotated = await this.change(ref, async (manager, entity) => {
      const before = this.toApiKey(entity);
      if (before.issuer !== null)
        throw new UsageError('An identity has no secret to rotate: its tokens come from the identity provider.');
      if (before.status !== 'active')
        throw new UsageError(`This key is ${before.status}. Only an active key can be rotated.`);
      const previousExpiresAt =
        overlap === 'none' ? null : earlier(this.inFuture(OVERLAP_MS[overlap]), entity.expiresAt);
      await replaceSecret(manager, entity.id, stored, previousExpiresAt);
      const after = { display: stored.display, previousDisplay: before.display, previousExpiresAt };
      await this.record(manager, actor, 'key.rotate', before, { display: before.display }, after);
    });
    return { ...rotated, key };
  }

  /** Permanent. A revoked key stays unchanged. */
  async revoke(ref: ApiKeyRef, actor: Actor): Promise<ApiKey> {
    return this.change(ref, (manager, entity) => this.applyRevocation(manager, entity, actor));
  }

  private async applyRevocation(manager: EntityManager, entity: ApiKeyEntity, actor: Actor): Promise<void> {
    if (entity.revokedAt) return;
    await manager.update(ApiKeyEntity, { id: entity.id }, { revokedAt: this.clock.date() });
    await this.record(manager, actor, 'key.revoke', this.toApiKey(entity));
  }

  private async applyChanges(
    manager: EntityManager,
    entity: ApiKeyEntity,
    ref: ApiKeyRef,
    { disabled, ...fields }: ApiKeyChanges,
    actor: Actor,
  ): Promise<void> {
    if (entity.revokedAt) throw new UsageError('This key is revoked and can no longer be changed.');
    const before = this.toApiKey(entity);
    const isOwn = ref.ownerId !== undefined || actor.id === entity.userId;
    await this.updateFields(manager, entity, before, fields, actor, ref.ownerId !== undefined);
    const isOther = disabled !== undefined && disabled !== (entity.disabledAt !== null);
    if (disabled === undefined || !(isOther || isTakingOver(entity, disabled, isOwn))) return;
    if (!disabled && ref.ownerId !== undefined) checkMayEnable(entity);
    const state = disabled
      ? { disabledAt: this.clock.date(), disabledBy: isOwn ? entity.userId : actor.id }
      : { disabledAt: null, disabledBy: null };
    await manager.update(ApiKeyEntity, { id: entity.id }, state);
    await this.record(manager, actor, disabled ? 'key.disable' : 'key.enable', before);
  }

  private async change(ref: ApiKeyRef, work: KeyChangeWork): Promise<ApiKey> {
    return this.keys.manager.transaction((manager) => this.changeIn(manager, ref, work));
  }

  private async changeIn(manager: EntityManager, ref: ApiKeyRef, work: KeyChangeWork): Promise<ApiKey> {
    const where = whereOf(ref);
    const entity = await manager.findOne(ApiKeyEntity, { where, lock: { mode: 'pessimistic_write' } });
    if (!entity) throw unknownKey();
    await work(manager, entity);
    await notifyCallerChanged(manager, 'key', entity.id);
    return this.toApiKey(await manager.findOneByOrFail(ApiKeyEntity, { id: entity.id }));
  }

  private async updateFields(
    manager: EntityManager,
    entity: ApiKeyEntity,
    before: ApiKey,
    fields: Omit<ApiKeyChanges, 'disabled'>,
    actor: Actor,
    isBound: boolean,
  ): Promise<void> {
    const input = this.toValues(fields, entity);
    const isOwn = isBound || actor.id === entity.userId;
    const set = await this.limits.change(manager, entity, fields.limits ?? {}, isOwn);
    const changed = Object.fromEntries(
      Object.entries(input).filter(([name, value]) => !isSame(value, before[name as keyof ApiKey])),
    );
    const names = Object.keys(changed) as (keyof ApiKey)[];
    if (names.length === 0 && !set) return;
    if (isBound) checkWithin(entity, changed);
    if ('expiresAt' in changed && isExpired(entity, this.clock.date())) await this.checkRoom(manager, entity.userId);
    const bounds = isBound ? {} : toBounds(changed, isOwn, actor);
    if (names.length > 0) await manager.update(ApiKeyEntity, { id: entity.id }, { ...changed, ...bounds });
    const was = Object.fromEntries(names.map((name) => [name, before[name]]));
    await this.record(manager, actor, 'key.update', before, { ...was, ...set?.before }, { ...changed, ...set?.after });
  }

  private toValues(fields: Omit<ApiKeyChanges, 'disabled'>, entity: ApiKeyEntity) {
    const { name, note, models, addresses, expiresAt } = fields;
    const since = entity.rotatedAt ?? entity.createdAt;
    return {
      ...(name !== undefined && { name: keyRules.name(name) }),
      ...(note !== undefined && { note: keyRules.note(note) }),
      ...(models !== undefined && { models: keyRules.models(models) }),
      ...(addresses !== undefined && { addresses: keyRules.addresses(addresses) }),
      ...(expiresAt !== undefined &&
        !isSame(expiresAt, entity.expiresAt) && {
          expiresAt: keyRules.expiry(expiresAt, since, this.settings.keyPolicy.maxLifetime, this.clock.date()),
        }),
    };
  }

  /** Undefined: as late as the key policy allows. */
  private firstExpiry(input: Date | null | undefined): Date | null {
    const { maxLifetime } = this.settings.keyPolicy;
    if (input === undefined) return maxLifetime === null ? null : this.inFuture(maxLifetime);
    return keyRules.expiry(input, this.clock.date(), maxLifetime, this.clock.date());
  }

  private checkRoom(manager: EntityManager, userId: string): Promise<void> {
    return assertKeyQuota(manager, userId, this.settings.keys.perUser, this.clock.date());
  }

  private inFuture(ms: number): Date {
    return new Date(this.clock.now() + ms);
  }

  private async record(
    manager: EntityManager,
    actor: Actor,
    action: string,
    { id, name }: ApiKey,
    before: Record<string, unknown> | null = null,
    after: Record<string, unknown> | null = null,
  ): Promise<void> {
    await this.audit.record(manager, actor, { action, target: { kind: 'key', id, name }, before, after });
  }

  private toApiKey(entity: ApiKeyEntity): ApiKey {
    return toApiKey(entity, this.clock.now());
  }
}

function whereOf({ id, ownerId }: ApiKeyRef): FindOptionsWhere<ApiKeyEntity> {
  if (!UUID.test(id)) throw unknownKey();
  return { id, kind: 'user', ...(ownerId !== undefined && { userId: ownerId }) };
}

/** The same for another user's key and for an invalid id, which is not repeated. */
function unknownKey(): NotFoundError {
  return new NotFoundError('There is no key with this id.');
}

function earlier(one: Date, other: Date | null): Date {
  return other && other < one ? other : one;
}

function isExpired({ expiresAt }: ApiKeyEntity, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
