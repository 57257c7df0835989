import type { EntityManager } from 'typeorm';
import { ApiKeyEntity } from './api-key.entity.js';

/** No secret but the present one is taken. */
export const NO_PREVIOUS = { previousKeyHash: null, previousDisplay: null, previousExpiresAt: null };

/** Gives a key another secret. With `previousExpiresAt` the secret so far is taken until then. */
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
