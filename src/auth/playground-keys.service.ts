import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { notifyCallerChanged } from '../database/changes.service.js';
import { ClockService } from '../database/clock.service.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { newSecret } from './api-key.secret.js';
import type { PlaygroundKey } from './api-key.types.js';
import { NO_PREVIOUS, replaceSecret } from './previous-secrets.service.js';

const LIFETIME_MS = 15 * 60_000;

/** The keys with which the console's playground calls the API as the signed-in user. */
@Injectable()
export class PlaygroundKeysService {
  constructor(
    @InjectRepository(ApiKeyEntity) private readonly keys: Repository<ApiKeyEntity>,
    private readonly clock: ClockService,
  ) {}

  /**
   * One row per user, whose secret is replaced each time, so that all calls count under one key. The previous secret
   * stays valid until it expires, for example in another tab.
   */
  async create(userId: string): Promise<PlaygroundKey> {
    const { key, stored } = newSecret();
    const expiresAt = new Date(this.clock.now() + LIFETIME_MS);
    const keyId = await this.keys.manager.transaction(async (manager) => {
      await manager.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
      const existing = await manager.findOneBy(ApiKeyEntity, { userId, kind: 'playground' });
      if (!existing) {
        const row = { ...stored, userId, kind: 'playground' as const, name: 'Playground', expiresAt };
        return (await manager.save(ApiKeyEntity, row)).id;
      }
      const { id } = existing;
      await replaceSecret(manager, id, stored, existing.expiresAt);
      await manager.update(ApiKeyEntity, { id }, { expiresAt });
      await notifyCallerChanged(manager, 'key', id);
      return id;
    });
    return { key, keyId, expiresAt };
  }

  /** Called when a session of its owner ends; other sessions get a new key. */
  async end(userId: string): Promise<void> {
    await this.keys.manager.transaction(async (manager) => {
      const existing = await manager.findOneBy(ApiKeyEntity, { userId, kind: 'playground' });
      if (!existing) return;
      await manager.update(ApiKeyEntity, { id: existing.id }, { expiresAt: this.clock.date(), ...NO_PREVIOUS });
      await notifyCallerChanged(manager, 'key', existing.id);
    });
  }
}
