import type { User } from './user.types.js';

/** A link just made: the only time that its token is seen. */
export interface PasswordLink {
  readonly token: string;
  readonly user: User;
  readonly expiresAt: Date;
}
