import { type EntityManager, IsNull, Not } from 'typeorm';
import { UserEntity } from './user.entity.js';

const ACTIVE_ADMIN = { role: 'admin', kind: 'person', disabledAt: IsNull() } as const;

/** Locks in a fixed order, and before any user: if two administrators disable each other, the second fails. */
export async function lockAdmins(manager: EntityManager): Promise<void> {
  await manager.query(`SELECT 1 FROM users WHERE role = 'admin' ORDER BY id FOR UPDATE`);
}

/** Whether there is no other administrator; call it while holding `lockAdmins`. */
export async function isLastAdmin(manager: EntityManager, user: UserEntity): Promise<boolean> {
  return isActiveAdmin(user) && !(await manager.existsBy(UserEntity, { ...ACTIVE_ADMIN, id: Not(user.id) }));
}

export function isActiveAdmin({ role, kind, disabledAt }: UserEntity): boolean {
  return role === 'admin' && kind === 'person' && disabledAt === null;
}
