import type { Session } from '../../accounts/session.types.js';
import type { User } from '../../accounts/user.types.js';
import { labelOf } from '../../accounts/user-label.js';
import type { AccountSessionView, AccountView } from './dto/account.dto.js';

export function toAccountView(user: User): AccountView {
  const { id, name, role, source, hasPassword, createdAt } = user;
  return { id, email: labelOf(user), name, role, source, hasPassword, createdAt: createdAt.toISOString() };
}

export function toAccountSessionView(session: Session, currentId: string): AccountSessionView {
  const { id, method, address, userAgent, createdAt, lastSeenAt, expiresAt } = session;
  return {
    id,
    current: id === currentId,
    method,
    address,
    userAgent,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}
