import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ProjectRole } from '../accounts/project.types.js';
import { type Member, ProjectMembersService } from '../accounts/project-members.service.js';
import type { UserRole } from '../accounts/user.types.js';
import type { Actor } from '../audit/audit.types.js';
import { SyncedPlansService } from '../billing/synced-plans.service.js';
import type { OidcSettings } from '../config/gateway.settings.js';
import { ClockService } from '../database/clock.service.js';

/** Gives people the plans and projects of their groups at the identity provider. */
@Injectable()
export class GroupAccessService {
  private readonly logger = new Logger('GroupAccess');

  constructor(
    private readonly plans: SyncedPlansService,
    private readonly members: ProjectMembersService,
    private readonly clock: ClockService,
  ) {}

  /**
   * `planLifetime`: until the person signs in again; plans stay when the provider reports the groups by SCIM, because
   * it reports their end, too.
   */
  async apply(
    manager: EntityManager,
    user: Member,
    access: GroupAccess,
    planLifetime: number | null,
    actor: Actor,
  ): Promise<void> {
    const reported = await manager.query('SELECT FROM scim_group_members WHERE user_id = $1 LIMIT 1', [user.id]);
    const isLasting = planLifetime === null || reported.length > 0;
    const until = isLasting ? null : new Date(this.clock.now() + planLifetime);
    const plans = new Map(access.plans.map((id) => [id, until]));
    this.report('plans', await this.plans.setWithin(manager, user.id, 'oidc', plans, actor));
    const names = [...access.projects.keys()];
    const found: { id: string; name: string }[] = await manager.query(
      `SELECT id, named AS name FROM unnest($1::text[]) AS named JOIN projects ON lower(name) = lower(trim(named))
       WHERE archived_at IS NULL`,
      [names],
    );
    const roles = new Map<string, ProjectRole>();
    for (const { id, name } of found) {
      if (roles.get(id) !== 'manager') roles.set(id, access.projects.get(name) ?? 'member');
    }
    await this.members.syncGroups(manager, user, roles, actor);
    const known = new Set(found.map(({ name }) => name));
    this.report(
      'projects',
      names.filter((name) => !known.has(name)),
    );
  }

  private report(what: 'plans' | 'projects', unknown: readonly string[]): void {
    if (unknown.length === 0) return;
    this.logger.error(`signIn.oidc.${what} names ${what} that do not exist: ${unknown.join(', ')}`);
  }
}

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
  const memberships = new Set(groups);
  const isAdmin = adminGroups.some((group) => memberships.has(group));
  const isAllowed = isAdmin || memberGroups === null || memberGroups.some((group) => memberships.has(group));
  if (!isAllowed) return { isAllowed, role: roleOf(false, adminGroups), plans: [], projects: new Map() };
  const granted = Object.entries(plans).flatMap(([group, plan]) => (memberships.has(group) ? [plan] : []));
  return {
    isAllowed,
    role: roleOf(isAdmin, adminGroups),
    plans: [...new Set(granted)],
    projects: projectsOf(memberships, rules),
  };
}

function projectsOf(memberships: ReadonlySet<string>, { projects }: Rules): Map<string, ProjectRole> {
  const roles = new Map<string, ProjectRole>();
  for (const [group, { project, role }] of Object.entries(projects)) {
    if (memberships.has(group) && roles.get(project) !== 'manager') roles.set(project, role);
  }
  return roles;
}

/** Without groups for administrators, administrators are appointed in the console. */
function roleOf(isAdmin: boolean, adminGroups: readonly string[]): UserRole | null {
  if (adminGroups.length === 0) return null;
  return isAdmin ? 'admin' : 'member';
}
