import type { UserWithEmail } from './user.types.js';

/** How someone signed in. */
export type SignInMethod = 'password' | 'oidc' | 'setup';

/** The origin of a sign-in, as stated by the client: show it, but do not trust it. */
export interface SignInOrigin {
  readonly address: string | null;
  readonly userAgent: string | null;
  /** Of the sign-in request, for the audit log. */
  readonly requestId?: string | null;
}

/** A signed-in person. */
export interface Session {
  readonly id: string;
  readonly user: UserWithEmail;
  readonly method: SignInMethod;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  /** When it ends at the latest; it ends earlier if it is not used. */
  readonly expiresAt: Date;
}

/** A new session: the only time that its token is visible outside the cookie. */
export interface OpenedSession {
  readonly token: string;
  readonly session: Session;
}
