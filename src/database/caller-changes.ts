import type { EntityManager } from 'typeorm';

/**
 * The channel that tells every process to forget cached callers. The payload is `user:<id>`, `key:<id>`,
 * `plan:<id>` or `all`; it is sent in the transaction of the change, so it arrives exactly when the change is visible.
 */
export const CALLER_CHANGED = 'caller_changed';

/** The payload for a change that concerns everybody. */
export const ALL_CALLERS = 'all';

export async function notifyCallerChanged(
  manager: EntityManager,
  what: 'user' | 'key' | 'plan',
  id: string,
): Promise<void> {
  await notify(manager, `${what}:${id}`);
}

export async function notifyAllCallersChanged(manager: EntityManager): Promise<void> {
  await notify(manager, ALL_CALLERS);
}

async function notify(manager: EntityManager, payload: string): Promise<void> {
  await manager.query('SELECT pg_notify($1, $2)', [CALLER_CHANGED, payload]);
}
