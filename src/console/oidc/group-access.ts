import type { UserRole } from '../../accounts/user.types.js';
import type { OidcSettings } from '../../config/oidc.settings.js';

/** What groups at the provider grant here. */
export interface GroupAccess {
  readonly isAllowed: boolean;
  /** Null if groups do not decide about roles. */
  readonly role: UserRole | null;
  readonly plans: readonly string[];
}

type Rules = Pick<OidcSettings, 'adminGroups' | 'memberGroups' | 'plans'>;

export function groupAccess(groups: readonly string[], { adminGroups, memberGroups, plans }: Rules): GroupAccess {
  const held = new Set(groups);
  const isAdmin = adminGroups.some((group) => held.has(group));
  const isAllowed = isAdmin || memberGroups === null || memberGroups.some((group) => held.has(group));
  if (!isAllowed) return { isAllowed, role: roleOf(false, adminGroups), plans: [] };
  const granted = Object.entries(plans).flatMap(([group, plan]) => (held.has(group) ? [plan] : []));
  return { isAllowed, role: roleOf(isAdmin, adminGroups), plans: [...new Set(granted)] };
}

/** Without groups for administrators, administrators are appointed in the console. */
function roleOf(isAdmin: boolean, adminGroups: readonly string[]): UserRole | null {
  if (adminGroups.length === 0) return null;
  return isAdmin ? 'admin' : 'member';
}
