import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../audit/audit.types.js';
import { UsageError } from '../common/usage.error.js';
import { notifyCallerChanged } from '../database/caller-changes.js';
import { ApiKeyEntity } from './api-key.entity.js';
import type { ApiKey } from './api-key.types.js';
import { ENDED } from './replaced-secret.js';

/** Ends the overlap of a rotation early. */
@Injectable()
export class PreviousSecretsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly audit: AuditService,
  ) {}

  /**
   * Refuses the previous secret in every process within a second. The caller has checked that the actor may change the
   * key. Throws a `UsageError` if the key has no previous secret that works.
   */
  async end({ id, name }: ApiKey, actor: Actor): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const [ended]: { previousDisplay: string; previousExpiresAt: Date }[] = await manager.query(
        `SELECT previous_display AS "previousDisplay", previous_expires_at AS "previousExpiresAt" FROM api_keys
         WHERE id = $1 AND revoked_at IS NULL AND previous_expires_at > now() FOR UPDATE`,
        [id],
      );
      if (!ended) throw new UsageError('This key has no previous secret that still works.');
      await manager.update(ApiKeyEntity, { id }, { previousExpiresAt: ENDED });
      await this.audit.record(manager, actor, {
        action: 'key.end_previous',
        target: { kind: 'key', id, name },
        before: ended,
        after: { ...ended, previousExpiresAt: null },
      });
      await notifyCallerChanged(manager, 'key', id);
    });
  }
}
