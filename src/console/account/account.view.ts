import type { Session } from '../../accounts/session.types.js';
import type { User } from '../../accounts/user.types.js';
import { labelOf } from '../../accounts/user-label.js';
import type { AccountSessionView, AccountView } from './dto/account.dto.js';

export function toAccountView(user: User): AccountView {
  const { id, name, role, source, hasPassword, createdAt } = user;
  return { id, email: labelOf(user), name, role, source, hasPassword, createdAt };
}

export function toAccountSessionView(session: Session, currentId: string): AccountSessionView {
  const { user: _, ...view } = session;
  return { ...view, current: view.id === currentId };
}
