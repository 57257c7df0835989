import type { AuditTarget } from '../audit/audit.types.js';

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
