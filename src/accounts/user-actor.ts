import type { Actor } from '../audit/audit.types.js';
import type { SignInOrigin } from './session.types.js';
import type { User } from './user.types.js';

/** Who acts, as the audit log names him: somebody who has just shown who he is. */
export function actorOf({ id, email }: User, { address, requestId = null }: SignInOrigin): Actor {
  return { kind: 'user', id, name: email, address, requestId };
}
