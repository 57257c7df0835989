import type { EntityManager } from 'typeorm';
import { NotFoundError } from '../common/not-found.error.js';

/** Serializes the changes of one user, and gives the user's name for the audit log. */
export async function lockUser(manager: EntityManager, userId: string): Promise<string> {
  const [user]: { email: string }[] = await manager.query('SELECT email FROM users WHERE id = $1 FOR UPDATE', [userId]);
  if (!user) throw new NotFoundError('The user does not exist.');
  return user.email;
}
