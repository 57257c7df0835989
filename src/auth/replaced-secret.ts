import type { EntityManager } from 'typeorm';
import { ApiKeyEntity } from './api-key.entity.js';

export const NO_PREVIOUS = { previousKeyHash: null, previousDisplay: null, previousExpiresAt: null };

/** Replaces a key's secret. With `previousExpiresAt`, the previous secret is valid until then. */
export async function replaceSecret(
  manager: EntityManager,
  id: string,
  kept: Pick<ApiKeyEntity, 'keyHash' | 'display'>,
  previousExpiresAt: Date | null,
): Promise<void> {
  const previous = { previousKeyHash: () => 'key_hash', previousDisplay: () => 'display', previousExpiresAt };
  const values = { ...kept, rotatedAt: () => 'now()', ...(previousExpiresAt ? previous : NO_PREVIOUS) };
  await manager.update(ApiKeyEntity, { id }, values);
}
