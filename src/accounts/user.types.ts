export type UserRole = 'admin' | 'member';
export type UserKind = 'person' | 'service';

/** A user as other modules see one. */
export interface User {
  id: string;
  email: string;
  name: string;
  role: UserRole;
  kind: UserKind;
  /** Who authenticates a person: the gateway by password, or single sign-on; neither for a service account. */
  source: 'local' | 'oidc' | 'service';
  hasPassword: boolean;
  disabledAt: Date | null;
  /** The user's last use of the console, to the minute. */
  lastSeenAt: Date | null;
  createdAt: Date;
}

export interface NewUser {
  email: string;
  name?: string;
  role?: UserRole;
  kind?: UserKind;
  password?: string;
}

/** Changes by an administrator; missing fields stay. */
export interface UserChange {
  name?: string;
  role?: UserRole;
  disabled?: boolean;
  /** Also the last administrator: for the command line with --force. */
  evenLast?: boolean;
}

/** What a password is checked against. */
export interface Credentials {
  readonly user: User;
  readonly passwordHash: string | null;
}
