import type { EntityManager } from 'typeorm';

export interface OwnedKey {
  userId: string;
  keyId: string;
}

/** Null when there are no keys, or one of them is unknown. */
export async function ownedKeysOf(manager: EntityManager, keys: readonly string[]): Promise<OwnedKey[] | null> {
  const wanted = [...new Set(keys)];
  if (wanted.length === 0) return null;
  const owned: OwnedKey[] = await manager.query(
    'SELECT id AS "keyId", user_id AS "userId" FROM api_keys WHERE id = ANY($1)',
    [wanted],
  );
  return owned.length === wanted.length ? owned : null;
}
