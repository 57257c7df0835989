import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../audit/audit.types.js';
import { UsageError } from '../common/usage.error.js';
import { notifyCallerChanged } from '../database/changes.service.js';
import { ApiKeyEntity } from './api-key.entity.js';
import type { ApiKey } from './api-key.types.js';

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

export const NO_PREVIOUS = {
  ...{ previousKeyHash: null, previousDisplay: null, previousExpiresAt: null },
  ...{ previousUsedAt: null, previousUsedAddress: null, previousUsedAgent: null },
};

/** Far enough in the past for every process's clock. */
const ENDED = () => "now() - interval '1 minute'";

const SQL_LAST_USE_IS_PRESENT =
  'CASE WHEN last_used_at = secret_used_at OR (secret_used_at IS NULL AND previous_display IS NULL) THEN';

/**
 * Columns that move to the previous secret. A key that was never rotated may have only the last use of the key itself.
 */
const LAST_USES = {
  previousUsedAt: () => 'coalesce(secret_used_at, CASE WHEN previous_display IS NULL THEN last_used_at END)',
  previousUsedAddress: () => `${SQL_LAST_USE_IS_PRESENT} last_used_address END`,
  previousUsedAgent: () => `${SQL_LAST_USE_IS_PRESENT} last_used_agent END`,
  secretUsedAt: null,
};

/**
 * Replaces a key's secret. The previous one is valid until `previousExpiresAt`, or ends now; it is kept, so that
 * requests that still use it are recorded for its key.
 */
export async function replaceSecret(
  manager: EntityManager,
  id: string,
  stored: Pick<ApiKeyEntity, 'keyHash' | 'display'>,
  previousExpiresAt: Date | null,
): Promise<void> {
  await manager.update(
    ApiKeyEntity,
    { id },
    {
      ...stored,
      rotatedAt: () => 'now()',
      previousKeyHash: () => 'key_hash',
      previousDisplay: () => 'display',
      previousExpiresAt: previousExpiresAt ?? ENDED,
      ...LAST_USES,
    },
  );
}
