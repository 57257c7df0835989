import type { User } from './user.types.js';

/** How somebody signed in. */
export type SignInMethod = 'password' | 'oidc' | 'setup';

/** Where a sign-in came from; as the client says, so to be shown and never to be trusted. */
export interface SignInOrigin {
  readonly address: string | null;
  readonly userAgent: string | null;
  /** Of the request that signs in, for the audit log. */
  readonly requestId?: string | null;
}

/** Somebody who is signed in. */
export interface Session {
  readonly id: string;
  readonly user: User;
  readonly method: SignInMethod;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  /** When it ends in any case; it ends earlier when it is not used. */
  readonly expiresAt: Date;
}

/** A session just opened: the only time that its token is seen outside the cookie. */
export interface OpenedSession {
  readonly token: string;
  readonly session: Session;
}
