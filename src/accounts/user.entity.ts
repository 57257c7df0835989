import { Column, CreateDateColumn, Entity, type EntityManager, IsNull, Not, PrimaryGeneratedColumn } from 'typeorm';
import type { Permission } from './permissions.js';
import type { User, UserKind, UserRole, UserWithEmail } from './user.types.js';

/** A person, a service account (it has keys and cannot sign in), or the user that represents a project. */
@Entity('users')
export class UserEntity {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** With its ASCII letters in lower case; null only for users of a project. */
  @Column('text', { nullable: true })
  email!: string | null;

  @Column('text')
  name!: string;

  @Column('text')
  role!: UserRole;

  @Column('text')
  kind!: UserKind;

  /** What an administrator allowed a service account. */
  @Column('text', { array: true })
  permissions!: Permission[];

  @Column('uuid', { name: 'project_id', nullable: true })
  projectId!: string | null;

  @Column('text', { name: 'password_hash', nullable: true })
  passwordHash!: string | null;

  @Column('timestamptz', { name: 'disabled_at', nullable: true })
  disabledAt!: Date | null;

  /** The identity in single sign-on: both, or neither. */
  @Column('text', { name: 'oidc_issuer', nullable: true })
  oidcIssuer!: string | null;

  @Column('text', { name: 'oidc_subject', nullable: true })
  oidcSubject!: string | null;

  /** When e-mail address and name were replaced by a pseudonym. */
  @Column('timestamptz', { name: 'forgotten_at', nullable: true })
  forgottenAt!: Date | null;

  /** The user's last use of the console, to the minute. */
  @Column('timestamptz', { name: 'last_seen_at', nullable: true })
  lastSeenAt!: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}

/** A user without fields that must not leave the module. */
export function toUser(entity: UserEntity): User {
  const { id, email, name, role, kind, permissions, projectId } = entity;
  const { disabledAt, forgottenAt, lastSeenAt, createdAt } = entity;
  const source = kind !== 'person' ? 'service' : entity.oidcSubject === null ? 'local' : 'oidc';
  return {
    id,
    email,
    name,
    role,
    kind,
    permissions,
    projectId,
    source,
    hasPassword: entity.passwordHash !== null,
    disabledAt,
    forgottenAt,
    lastSeenAt,
    createdAt,
  };
}

/** The same for a user who has an e-mail address, because it was found by it or can sign in. */
export function toUserWithEmail(entity: UserEntity): UserWithEmail {
  return withEmail(toUser(entity));
}

export function withEmail(user: User): UserWithEmail {
  const { email } = user;
  if (email === null) throw new Error(`the user ${user.id} has no e-mail address`);
  return { ...user, email };
}

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
