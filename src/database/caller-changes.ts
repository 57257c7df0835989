import type { EntityManager } from 'typeorm';

/**
 * The channel that tells every process to forget cached callers. The payload is `user:<id>` or `key:<id>`; it is sent in
 * the transaction of the change, so it arrives exactly when the change is visible.
 */
export const CALLER_CHANGED = 'caller_changed';

export async function notifyCallerChanged(manager: EntityManager, what: 'user' | 'key', id: string): Promise<void> {
  await manager.query('SELECT pg_notify($1, $2)', [CALLER_CHANGED, `${what}:${id}`]);
}
