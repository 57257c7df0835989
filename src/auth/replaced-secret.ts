import type { EntityManager } from 'typeorm';
import { ApiKeyEntity } from './api-key.entity.js';

export const NO_PREVIOUS = { previousKeyHash: null, previousDisplay: null, previousExpiresAt: null };

/** Far enough in the past for every process's clock. */
const ENDED = () => "now() - interval '1 minute'";

/**
 * Replaces a key's secret. The previous one is valid until `previousExpiresAt`, or ends now; it is kept, so that requests
 * that still use it are recorded for its key.
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
    },
  );
}
