import { type EntityManager, Not } from 'typeorm';
import type { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../audit/audit.types.js';
import { NotFoundError, UsageError } from '../common/usage.error.js';
import { notifyCallerChanged } from '../database/changes.service.js';
import { GRANTABLE_PERMISSIONS, type Permission } from './permissions.js';
import { PasswordLinkEntity, SessionEntity } from './session.entity.js';
import { isActiveAdmin, isLastAdmin, lockAdmins, toUser, toUserWithEmail, UserEntity } from './user.entity.js';
import {
  labelOf,
  type User,
  type UserChange,
  type UserKind,
  type UserRole,
  type UserWithEmail,
  userTarget,
} from './user.types.js';

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
    throw addressTaken(values.email);
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
  if (user.forgottenAt) throw new UsageError('This user is forgotten and can no longer be changed.');
  if (isLosingRights && isActiveAdmin(user)) await checkMayLoseRights(manager, user, actor, change.evenLast === true);
  const target = userTarget(user);
  if (change.email !== undefined && change.email !== user.email) {
    if (user.email === null) throw new UsageError('A service account of a project has no e-mail address.', 'email');
    if (await manager.existsBy(UserEntity, { email: change.email })) throw addressTaken(change.email);
    const [before, after] = [{ email: user.email }, { email: change.email }];
    await audit.record(manager, actor, { action: 'user.update', target, before, after });
    user.email = change.email;
  }
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
  if (change.permissions !== undefined) await setPermissions(manager, audit, user, change.permissions, actor);
  if (change.disabled !== undefined && change.disabled !== (user.disabledAt !== null)) {
    if (!change.disabled) await checkProjectInUse(manager, user);
    await audit.record(manager, actor, { action: change.disabled ? 'user.disable' : 'user.enable', target });
    user.disabledAt = change.disabled ? new Date() : null;
    if (change.disabled) await endAccess(manager, id);
    await notifyCallerChanged(manager, 'user', id);
  }
  const { email, name, role, permissions, disabledAt } = user;
  await manager.update(UserEntity, { id }, { email, name, role, permissions, disabledAt });
  return toUser(user);
}

async function setPermissions(
  manager: EntityManager,
  audit: AuditService,
  user: UserEntity,
  requested: readonly Permission[],
  actor: Actor,
): Promise<void> {
  if (user.kind !== 'service') {
    throw new UsageError('Only service accounts have permissions of their own; people have a role.', 'permissions');
  }
  const wrong = requested.find((name) => !GRANTABLE_PERMISSIONS.includes(name));
  if (wrong !== undefined) {
    const known = GRANTABLE_PERMISSIONS.join(', ');
    throw new UsageError(`A service account cannot have the permission ${wrong}. It can have ${known}.`, 'permissions');
  }
  const permissions = GRANTABLE_PERMISSIONS.filter((name) => requested.includes(name));
  const before = { permissions: user.permissions };
  if (permissions.join() === user.permissions.join()) return;
  const target = userTarget(user);
  await audit.record(manager, actor, { action: 'user.permissions', target, before, after: { permissions } });
  user.permissions = permissions;
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
  readonly retainedSession?: string | undefined;
}

export async function replacePassword(
  manager: EntityManager,
  audit: AuditService,
  { id, passwordHash, retainedSession }: NewPassword,
  actor: Actor,
): Promise<UserWithEmail> {
  const user = toUserWithEmail(await lockedUser(manager, id));
  if (user.kind !== 'person') throw new UsageError('A service account has no password.');
  await audit.record(manager, actor, { action: 'user.password', target: userTarget(user) });
  await manager.update(UserEntity, { id }, { passwordHash });
  await endAccess(manager, id, retainedSession);
  return { ...user, hasPassword: true };
}

export async function endAccess(manager: EntityManager, userId: string, retainedSession?: string): Promise<void> {
  await manager.delete(SessionEntity, { userId, ...(retainedSession !== undefined && { id: Not(retainedSession) }) });
  await manager.delete(PasswordLinkEntity, { userId });
}

export async function lockedUser(manager: EntityManager, id: string): Promise<UserEntity> {
  const user = await manager.findOne(UserEntity, { where: { id }, lock: { mode: 'pessimistic_write' } });
  if (!user) throw noSuchUser();
  return user;
}

function addressTaken(email: string): UsageError {
  return new UsageError(`There is already a user with the e-mail address ${email}.`, 'email');
}

export function noSuchUser(): NotFoundError {
  return new NotFoundError('The user does not exist.');
}

/**
 * Nobody can lock out all administrators, except the command line with --force. The caller's own role may have been
 * removed since the request arrived.
 */
export async function checkMayLoseRights(
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
    const isTrusted = acting?.disabledAt === null && acting.permissions.includes('users.write');
    if (!acting || !(isActiveAdmin(acting) || isTrusted)) throw new UsageError('You are no longer an administrator.');
  }
  if (!evenLast && (await isLastAdmin(manager, user))) {
    const force = actor.kind === 'command_line' ? ', or add --force' : '';
    throw new UsageError(
      `${labelOf(user)} is the last administrator. Make another user an administrator first${force}.`,
    );
  }
}

/** Setup closes permanently when the first administrator exists, and its token becomes invalid. */
export async function markSetUp(manager: EntityManager): Promise<void> {
  await manager.query(
    'UPDATE setup SET done_at = now(), token_hash = NULL, token_expires_at = NULL WHERE done_at IS NULL',
  );
}

export async function isSetUp(manager: EntityManager): Promise<boolean> {
  const rows = await manager.query('SELECT 1 FROM setup WHERE done_at IS NULL');
  return rows.length === 0;
}

/** Whether setup is open, and stays so until the transaction ends; with a token, whether it is valid. */
export async function lockSetUp(manager: EntityManager, tokenHash: Buffer | null): Promise<boolean> {
  const rows = await manager.query(
    `SELECT 1 FROM setup
     WHERE done_at IS NULL AND ($1::bytea IS NULL OR (token_hash = $1 AND token_expires_at > now())) FOR UPDATE`,
    [tokenHash],
  );
  return rows.length === 1;
}

/** Makes this the only token. `instead`: only if it replaces this one or an expired one. */
export async function replaceToken(manager: EntityManager, tokenHash: Buffer, instead?: Buffer): Promise<boolean> {
  const [, affected]: [unknown, number] = await manager.query(
    `UPDATE setup SET token_hash = $1, token_expires_at = now() + interval '1 hour'
     WHERE done_at IS NULL
       AND ($2::bytea IS NULL OR token_hash IS NULL OR token_hash = $2 OR token_expires_at <= now())`,
    [tokenHash, instead ?? null],
  );
  return affected === 1;
}
