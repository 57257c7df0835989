import type { UserEntity } from './user.entity.js';
import type { User, UserWithEmail } from './user.types.js';

/** A user without fields that must not leave the module. */
export function toUser(entity: UserEntity): User {
  const { id, email, name, role, kind, projectId, disabledAt, lastSeenAt, createdAt } = entity;
  const source = kind !== 'person' ? 'service' : entity.oidcSubject === null ? 'local' : 'oidc';
  return {
    id,
    email,
    name,
    role,
    kind,
    projectId,
    source,
    hasPassword: entity.passwordHash !== null,
    disabledAt,
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
