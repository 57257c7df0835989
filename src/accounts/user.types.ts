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
  /** The project of a service account, or of the user that represents it. It never changes. */
  projectId: string | null;
  /** Who authenticates a person: the gateway by password, or single sign-on; neither for a service account. */
  source: 'local' | 'oidc' | 'service';
  hasPassword: boolean;
  disabledAt: Date | null;
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
}

/** Changes by an administrator; missing fields stay. */
export interface UserChange {
  name?: string;
  role?: UserRole;
  disabled?: boolean;
  /** Allows changes of the last administrator; for the command line with --force. */
  evenLast?: boolean;
}

/** The data that a password is checked against. */
export interface Credentials {
  readonly user: UserWithEmail;
  readonly passwordHash: string | null;
}
