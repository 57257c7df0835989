import type { Actor, AuditTarget } from '../audit/audit.types.js';
import type { Permission, Rights } from './permissions.js';
import type { SessionEntity } from './session.entity.js';

export type UserRole = 'admin' | 'member';
/** The user of the kind `project` represents its project and owns its keys. Nobody can sign in as this user. */
export type UserKind = 'person' | 'service' | 'project';

/** A user as other modules see one. */
export interface User {
  id: string;
  /** Null only for users of a project. */
  email: string | null;
  name: string;
  role: UserRole;
  kind: UserKind;
  /** What an administrator allowed a service account; empty for others, whose role says it. */
  permissions: readonly Permission[];
  /** The project of a service account, or of the user that represents it. It never changes. */
  projectId: string | null;
  /** Who authenticates a person: the gateway by password, or single sign-on; neither for a service account. */
  source: 'local' | 'oidc' | 'service';
  hasPassword: boolean;
  disabledAt: Date | null;
  /** When e-mail address and name were replaced by a pseudonym, for good. */
  forgottenAt: Date | null;
  /** The user's last use of the console, to the minute. */
  lastSeenAt: Date | null;
  createdAt: Date;
}

/** Every user except those of projects. */
export interface UserWithEmail extends User {
  email: string;
}

export interface NewUser {
  email: string;
  name?: string;
  role?: UserRole;
  kind?: Exclude<UserKind, 'project'>;
  password?: string;
  /** At the identity provider. */
  identity?: { readonly oidcIssuer: string; readonly oidcSubject: string } | null;
}

/** A person to invite; address and name are checked and folded. */
export interface NewPerson {
  readonly email: string;
  readonly name: string;
  readonly role: UserRole;
}

/** Missing or null fields do not filter. */
export interface UserFilter {
  role?: UserRole | null | undefined;
  kind?: UserKind | null | undefined;
  isDisabled?: boolean | null;
  /** Words of the e-mail address or name. */
  text?: string | undefined;
}

/** Changes by an administrator; missing fields stay. */
export interface UserChange {
  email?: string;
  name?: string;
  role?: UserRole;
  /** Of a service account. */
  permissions?: readonly Permission[];
  disabled?: boolean;
  /** Allows changes of the last administrator; for the command line with --force. */
  evenLast?: boolean;
}

/** The data that a password is checked against. */
export interface Credentials {
  readonly user: UserWithEmail;
  readonly passwordHash: string | null;
}

interface Labelled {
  readonly email: string | null;
  readonly name: string;
}

/** The label of a user in texts: the e-mail address, or the name if there is none. */
export function labelOf({ email, name }: Labelled): string {
  return email ?? name;
}

/** A user as the target of a change. */
export function userTarget({ id, ...user }: Labelled & { readonly id: string }): AuditTarget {
  return { kind: 'user', id, name: labelOf(user) };
}

/** The signed-in person as an actor of the audit log. */
export function actorOf({ id, email }: UserWithEmail, { address, requestId = null }: SignInOrigin): Actor {
  return { kind: 'user', id, name: email, address, requestId };
}

/** The origin of a sign-in, as stated by the client: show it, but do not trust it. */
export interface SignInOrigin {
  readonly address: string | null;
  readonly userAgent: string | null;
  /** Of the sign-in request, for the audit log. */
  readonly requestId?: string | null;
}

/** A signed-in person, or a request with an access token. */
export interface Session extends Readonly<Omit<SessionEntity, 'tokenHash' | 'userId' | 'method'>>, Viewer {
  readonly user: User;
  readonly method: SessionEntity['method'] | 'token';
  /** The access token; null: a person's session. */
  readonly token: PresentedToken | null;
}

export interface PresentedToken {
  readonly name: string;
  readonly addresses: readonly string[] | null;
  readonly expiresAt: Date;
}

/** For whom the console's reports are made. */
export interface Viewer {
  readonly user: Pick<User, 'id'>;
  readonly rights: Rights;
}

/** A session of the console. */
export interface BrowserSession extends Session {
  readonly method: SessionEntity['method'];
}

/** A new session: the only time that its token is visible outside the cookie. */
export interface OpenedSession {
  readonly token: string;
  readonly session: BrowserSession;
}
