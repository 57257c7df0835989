import type { Actor } from '../audit/audit.types.js';
import type { SignInOrigin } from './session.types.js';
import type { UserWithEmail } from './user.types.js';

/** The signed-in person as an actor of the audit log. */
export function actorOf({ id, email }: UserWithEmail, { address, requestId = null }: SignInOrigin): Actor {
  return { kind: 'user', id, name: email, address, requestId };
}
