import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';
import { AddressList } from '../common/address-list.js';
import { UsageError } from '../common/usage.error.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { notifyCallerChanged } from '../database/caller-changes.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { displayApiKey, hashApiKey, newApiKey } from './api-key.format.js';
import type { ApiKey, CreatedApiKey, NewApiKey } from './api-key.types.js';

const MAX_NAME_LENGTH = 100;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Makes, lists and revokes API keys. Methods that are given something unusable throw a `UsageError`. */
@Injectable()
export class ApiKeysService {
  constructor(
    @InjectRepository(ApiKeyEntity) private readonly keys: Repository<ApiKeyEntity>,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  async create({ userId, name, expiresAt = null, models = null, addresses = null }: NewApiKey): Promise<CreatedApiKey> {
    const trimmed = name.trim();
    if (trimmed === '' || trimmed.length > MAX_NAME_LENGTH) {
      throw new UsageError(`A key's name has 1 to ${MAX_NAME_LENGTH} characters.`);
    }
    const expiry = this.toExpiry(expiresAt);
    if (addresses) checkAddresses(addresses);
    const key = newApiKey();
    const saved = await this.keys.save({
      userId,
      name: trimmed,
      keyHash: Buffer.from(hashApiKey(key), 'base64url'),
      display: displayApiKey(key),
      models,
      addresses,
      expiresAt: expiry,
    });
    return { ...toApiKey(await this.keys.findOneByOrFail({ id: saved.id })), key };
  }

  async list(): Promise<ApiKey[]> {
    return (await this.keys.find({ order: { createdAt: 'ASC', id: 'ASC' } })).map(toApiKey);
  }

  /** The key stops working within a second, in every process, for good. */
  async revoke(id: string): Promise<ApiKey> {
    if (!UUID.test(id)) throw new UsageError(`There is no key with the id ${id}.`);
    await this.keys.manager.transaction(async (manager) => {
      await manager.update(ApiKeyEntity, { id, revokedAt: IsNull() }, { revokedAt: new Date() });
      await notifyCallerChanged(manager, 'key', id);
    });
    const key = await this.keys.findOneBy({ id });
    if (!key) throw new UsageError(`There is no key with the id ${id}.`);
    return toApiKey(key);
  }

  /** Without a wish a key lives as long as the policy lets it. */
  private toExpiry(wish: Date | null): Date | null {
    const { maxLifetime } = this.settings.keyPolicy;
    const now = Date.now();
    const latest = maxLifetime === null ? null : new Date(now + maxLifetime);
    if (wish === null) return latest;
    if (wish.getTime() <= now) throw new UsageError('A key must expire in the future.');
    if (latest && wish > latest) throw new UsageError(`A key must expire before ${latest.toISOString()}.`);
    return wish;
  }
}

function toApiKey(key: ApiKeyEntity): ApiKey {
  const { id, userId, name, display, models, addresses, createdAt, expiresAt, lastUsedAt } = key;
  return { id, userId, name, display, models, addresses, status: statusOf(key), createdAt, expiresAt, lastUsedAt };
}

function statusOf({ revokedAt, disabledAt, expiresAt }: ApiKeyEntity): ApiKey['status'] {
  if (revokedAt) return 'revoked';
  if (disabledAt) return 'disabled';
  return expiresAt && expiresAt.getTime() <= Date.now() ? 'expired' : 'active';
}

function checkAddresses(addresses: readonly string[]): void {
  try {
    new AddressList(addresses);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
