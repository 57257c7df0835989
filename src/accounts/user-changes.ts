import { type EntityManager, Not } from 'typeorm';
import type { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../audit/audit.types.js';
import { NotFoundError } from '../common/not-found.error.js';
import { UsageError } from '../common/usage.error.js';
import { notifyCallerChanged } from '../database/caller-changes.js';
import { isActiveAdmin, isLastAdmin, lockAdmins } from './administrators.js';
import { PasswordLinkEntity } from './password-link.entity.js';
import { SessionEntity } from './session.entity.js';
import { markSetUp } from './setup-state.js';
import { toUser, toUserWithEmail } from './to-user.js';
import { UserEntity } from './user.entity.js';
import type { User, UserChange, UserKind, UserRole, UserWithEmail } from './user.types.js';
import { labelOf, userTarget } from './user-label.js';

interface UserValues {
  readonly email: string;
  readonly name: string;
  readonly role: UserRole;
  readonly kind: UserKind;
  readonly passwordHash: string | null;
}

export async function insertUser(manager: EntityManager, values: UserValues): Promise<UserWithEmail> {
  if (values.kind === 'service' && values.role === 'admin') {
    throw new UsageError('A service account cannot sign in, so it cannot be an administrator.', 'role');
  }
  const inserted = await manager
    .createQueryBuilder()
    .insert()
    .into(UserEntity)
    .values(values)
    .orIgnore()
    .returning('id')
    .execute();
  if (inserted.raw.length === 0) {
    throw new UsageError(`There is already a user with the e-mail address ${values.email}.`, 'email');
  }
  if (values.role === 'admin') await markSetUp(manager);
  return toUserWithEmail(await manager.findOneByOrFail(UserEntity, { email: values.email }));
}

/** One audit entry for each real change. */
export async function changeUser(
  manager: EntityManager,
  audit: AuditService,
  id: string,
  change: UserChange,
  actor: Actor,
): Promise<User> {
  const isLosingRights = change.disabled === true || change.role === 'member';
  if (isLosingRights) await lockAdmins(manager);
  const user = await lockedUser(manager, id);
  if (user.kind === 'project') throw noSuchUser();
  if (isLosingRights && isActiveAdmin(user)) await checkMayLoseRights(manager, user, actor, change.evenLast === true);
  const target = userTarget(user);
  if (change.name !== undefined && change.name !== user.name) {
    const [before, after] = [{ name: user.name }, { name: change.name }];
    await audit.record(manager, actor, { action: 'user.update', target, before, after });
    user.name = change.name;
  }
  if (change.role !== undefined && change.role !== user.role) {
    if (user.kind !== 'person') throw new UsageError('A service account cannot sign in, so it has no role.', 'role');
    const [before, after] = [{ role: user.role }, { role: change.role }];
    await audit.record(manager, actor, { action: 'user.role', target, before, after });
    user.role = change.role;
    if (user.role === 'admin') await markSetUp(manager);
  }
  if (change.disabled !== undefined && change.disabled !== (user.disabledAt !== null)) {
    if (!change.disabled) await checkProjectInUse(manager, user);
    await audit.record(manager, actor, { action: change.disabled ? 'user.disable' : 'user.enable', target });
    user.disabledAt = change.disabled ? new Date() : null;
    if (change.disabled) await endAccess(manager, id);
    await notifyCallerChanged(manager, 'user', id);
  }
  const { name, role, disabledAt } = user;
  await manager.update(UserEntity, { id }, { name, role, disabledAt });
  return toUser(user);
}

async function checkProjectInUse(manager: EntityManager, { projectId }: UserEntity): Promise<void> {
  if (projectId === null) return;
  const archived = await manager.query('SELECT 1 FROM projects WHERE id = $1 AND archived_at IS NOT NULL', [projectId]);
  if (archived.length > 0) throw new UsageError('The project of this service account is archived.');
}

interface NewPassword {
  readonly id: string;
  readonly passwordHash: string;
  /** The session that stays open. */
  readonly keptSession?: string | undefined;
}

export async function replacePassword(
  manager: EntityManager,
  audit: AuditService,
  { id, passwordHash, keptSession }: NewPassword,
  actor: Actor,
): Promise<UserWithEmail> {
  const user = toUserWithEmail(await lockedUser(manager, id));
  if (user.kind !== 'person') throw new UsageError('A service account has no password.');
  await audit.record(manager, actor, { action: 'user.password', target: userTarget(user) });
  await manager.update(UserEntity, { id }, { passwordHash });
  await endAccess(manager, id, keptSession);
  return { ...user, hasPassword: true };
}

async function endAccess(manager: EntityManager, userId: string, keptSession?: string): Promise<void> {
  await manager.delete(SessionEntity, { userId, ...(keptSession !== undefined && { id: Not(keptSession) }) });
  await manager.delete(PasswordLinkEntity, { userId });
}

export async function lockedUser(manager: EntityManager, id: string): Promise<UserEntity> {
  const user = await manager.findOne(UserEntity, { where: { id }, lock: { mode: 'pessimistic_write' } });
  if (!user) throw noSuchUser();
  return user;
}

export function noSuchUser(): NotFoundError {
  return new NotFoundError('The user does not exist.');
}

/**
 * Nobody can lock out all administrators, except the command line with --force. The caller's own role may have been
 * removed since the request arrived.
 */
async function checkMayLoseRights(
  manager: EntityManager,
  user: UserEntity,
  actor: Actor,
  evenLast: boolean,
): Promise<void> {
  if (actor.kind === 'user') {
    if (actor.id === user.id) {
      throw new UsageError('You cannot disable your own account or remove your own role. Ask another administrator.');
    }
    const acting = actor.id === null ? null : await manager.findOneBy(UserEntity, { id: actor.id });
    if (!acting || !isActiveAdmin(acting)) throw new UsageError('You are no longer an administrator.');
  }
  if (!evenLast && (await isLastAdmin(manager, user))) {
    const force = actor.kind === 'command_line' ? ', or add --force' : '';
    throw new UsageError(
      `${labelOf(user)} is the last administrator. Make another user an administrator first${force}.`,
    );
  }
}
