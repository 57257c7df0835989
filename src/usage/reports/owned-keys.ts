import type { EntityManager } from 'typeorm';

/** A key and its user, by which its rows are found. */
export interface OwnedKey {
  userId: string;
  keyId: string;
}

/** The keys with their users; null where none are asked for, or one is unknown. */
export async function ownedKeysOf(manager: EntityManager, keys: readonly string[]): Promise<OwnedKey[] | null> {
  const wanted = [...new Set(keys)];
  if (wanted.length === 0) return null;
  const owned: OwnedKey[] = await manager.query(
    'SELECT id AS "keyId", user_id AS "userId" FROM api_keys WHERE id = ANY($1)',
    [wanted],
  );
  return owned.length === wanted.length ? owned : null;
}
