import type { ProjectRole } from '../../accounts/projects/project.types.js';
import type { UserRole } from '../../accounts/user.types.js';
import type { OidcSettings } from '../../config/oidc.settings.js';

/** What a person's groups at the provider grant in the gateway. */
export interface GroupAccess {
  readonly isAllowed: boolean;
  /** Null if groups do not determine roles. */
  readonly role: UserRole | null;
  readonly plans: readonly string[];
  /** Project, by name → role; the higher one if several groups name the project. */
  readonly projects: ReadonlyMap<string, ProjectRole>;
}

type Rules = Pick<OidcSettings, 'adminGroups' | 'memberGroups' | 'plans' | 'projects'>;

export function groupAccess(groups: readonly string[], rules: Rules): GroupAccess {
  const { adminGroups, memberGroups, plans } = rules;
  const held = new Set(groups);
  const isAdmin = adminGroups.some((group) => held.has(group));
  const isAllowed = isAdmin || memberGroups === null || memberGroups.some((group) => held.has(group));
  if (!isAllowed) return { isAllowed, role: roleOf(false, adminGroups), plans: [], projects: new Map() };
  const granted = Object.entries(plans).flatMap(([group, plan]) => (held.has(group) ? [plan] : []));
  return {
    isAllowed,
    role: roleOf(isAdmin, adminGroups),
    plans: [...new Set(granted)],
    projects: projectsOf(held, rules),
  };
}

function projectsOf(held: ReadonlySet<string>, { projects }: Rules): Map<string, ProjectRole> {
  const roles = new Map<string, ProjectRole>();
  for (const [group, { project, role }] of Object.entries(projects)) {
    if (held.has(group) && roles.get(project) !== 'manager') roles.set(project, role);
  }
  return roles;
}

/** Without groups for administrators, administrators are appointed in the console. */
function roleOf(isAdmin: boolean, adminGroups: readonly string[]): UserRole | null {
  if (adminGroups.length === 0) return null;
  return isAdmin ? 'admin' : 'member';
}
