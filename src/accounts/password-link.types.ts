import type { UserWithEmail } from './user.types.js';

/** A new link: the only time that its token is visible. */
export interface PasswordLink {
  readonly token: string;
  readonly user: UserWithEmail;
  readonly expiresAt: Date;
}
