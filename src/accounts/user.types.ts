export type UserRole = 'admin' | 'member';
export type UserKind = 'person' | 'service';

/** A user as other modules see one. */
export interface User {
  id: string;
  email: string;
  name: string;
  role: UserRole;
  kind: UserKind;
  /** Who vouches for a person: the gateway's own password, or the company's single sign-on; a service account is neither. */
  source: 'local' | 'oidc' | 'service';
  hasPassword: boolean;
  disabledAt: Date | null;
  /** When the user last used the console, to the minute. */
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

/** What an administrator may change; what is left out stays. */
export interface UserChange {
  name?: string;
  role?: UserRole;
  disabled?: boolean;
  /** Also the last administrator: for whoever runs the command line and insists. */
  evenLast?: boolean;
}

/** What a password is checked against. */
export interface Credentials {
  readonly user: User;
  readonly passwordHash: string | null;
}
