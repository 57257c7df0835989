export type UserRole = 'admin' | 'member';
export type UserKind = 'person' | 'service';

/** A user as other modules see one. */
export interface User {
  id: string;
  email: string;
  name: string;
  role: UserRole;
  kind: UserKind;
  disabledAt: Date | null;
  createdAt: Date;
}

export interface NewUser {
  email: string;
  role?: UserRole;
  kind?: UserKind;
  password?: string;
}
