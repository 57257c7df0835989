import { type EntityManager, IsNull, Not } from 'typeorm';
import { UserEntity } from './user.entity.js';

const ACTIVE_ADMIN = { role: 'admin', kind: 'person', disabledAt: IsNull() } as const;

/** Always in one order, and before any user: of two administrators who disable each other, one is too late. */
export async function lockAdmins(manager: EntityManager): Promise<void> {
  await manager.query(`SELECT 1 FROM users WHERE role = 'admin' ORDER BY id FOR UPDATE`);
}

/** Whether nobody else can administer the gateway; to be asked behind `lockAdmins`. */
export async function isLastAdmin(manager: EntityManager, user: UserEntity): Promise<boolean> {
  return isActiveAdmin(user) && !(await manager.existsBy(UserEntity, { ...ACTIVE_ADMIN, id: Not(user.id) }));
}

export function isActiveAdmin({ role, kind, disabledAt }: UserEntity): boolean {
  return role === 'admin' && kind === 'person' && disabledAt === null;
}
