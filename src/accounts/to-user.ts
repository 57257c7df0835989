import type { UserEntity } from './user.entity.js';
import type { User } from './user.types.js';

/** A user without fields that must not leave the module. */
export function toUser(entity: UserEntity): User {
  const { id, email, name, role, kind, disabledAt, lastSeenAt, createdAt } = entity;
  const source = kind === 'service' ? 'service' : entity.oidcSubject === null ? 'local' : 'oidc';
  return {
    id,
    email,
    name,
    role,
    kind,
    source,
    hasPassword: entity.passwordHash !== null,
    disabledAt,
    lastSeenAt,
    createdAt,
  };
}
