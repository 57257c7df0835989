import type { EntityManager } from 'typeorm';

/**
 * The channel that makes every process forget cached callers. The payload is `user:<id>`, `key:<id>`, `plan:<id>`,
 * `project:<id>` or `all`. It is sent in the transaction of the change, so it arrives when the change becomes visible.
 */
export const CALLER_CHANGED = 'caller_changed';

export const ALL_CALLERS = 'all';

export async function notifyCallerChanged(
  manager: EntityManager,
  what: 'user' | 'key' | 'plan' | 'project',
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
