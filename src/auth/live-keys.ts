import { type EntityManager, IsNull, MoreThan } from 'typeorm';
import { UsageError } from '../common/usage.error.js';
import { ApiKeyEntity } from './api-key.entity.js';

/**
 * Throws a `UsageError` when the user already has `most` live keys: neither revoked nor expired. Locks the user until
 * the transaction ends. `most`: null for no limit.
 */
export async function checkRoomForKey(
  manager: EntityManager,
  userId: string,
  most: number | null,
  now: Date,
): Promise<void> {
  if (most === null) return;
  await manager.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
  const own = { kind: 'user' as const, userId, revokedAt: IsNull() };
  const where = [
    { ...own, expiresAt: IsNull() },
    { ...own, expiresAt: MoreThan(now) },
  ];
  if ((await manager.countBy(ApiKeyEntity, where)) < most) return;
  throw new UsageError(
    `This user already has ${most} live API keys, the maximum. Revoke one that is no longer used, ` +
      'or ask an administrator to raise `keys.perUser` in gateway.yaml.',
  );
}
