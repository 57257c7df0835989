import type { EntityManager } from 'typeorm';
import { ApiKeyEntity } from './api-key.entity.js';

export const NO_PREVIOUS = {
  ...{ previousKeyHash: null, previousDisplay: null, previousExpiresAt: null },
  ...{ previousUsedAt: null, previousUsedAddress: null, previousUsedAgent: null },
};

/** Far enough in the past for every process's clock. */
export const ENDED = () => "now() - interval '1 minute'";

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
  kept: Pick<ApiKeyEntity, 'keyHash' | 'display'>,
  previousExpiresAt: Date | null,
): Promise<void> {
  await manager.update(
    ApiKeyEntity,
    { id },
    {
      ...kept,
      rotatedAt: () => 'now()',
      previousKeyHash: () => 'key_hash',
      previousDisplay: () => 'display',
      previousExpiresAt: previousExpiresAt ?? ENDED,
      ...LAST_USES,
    },
  );
}
