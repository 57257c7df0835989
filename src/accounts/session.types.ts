import type { SessionEntity } from './session.entity.js';
import type { UserWithEmail } from './user.types.js';

/** The origin of a sign-in, as stated by the client: show it, but do not trust it. */
export interface SignInOrigin {
  readonly address: string | null;
  readonly userAgent: string | null;
  /** Of the sign-in request, for the audit log. */
  readonly requestId?: string | null;
}

/** A signed-in person. */
export interface Session extends Readonly<Omit<SessionEntity, 'tokenHash' | 'userId'>> {
  readonly user: UserWithEmail;
}

/** A new session: the only time that its token is visible outside the cookie. */
export interface OpenedSession {
  readonly token: string;
  readonly session: Session;
}
