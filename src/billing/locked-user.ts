import type { EntityManager } from 'typeorm';
import { NotFoundError } from '../common/not-found.error.js';

/** Serializes the changes of one user, and gives the user's name for the audit log. */
export async function lockUser(manager: EntityManager, userId: string): Promise<string> {
  const query = 'SELECT coalesce(email, name) AS label FROM users WHERE id = $1 FOR UPDATE';
  const [user]: { label: string }[] = await manager.query(query, [userId]);
  if (!user) throw new NotFoundError('The user does not exist.');
  return user.label;
}
