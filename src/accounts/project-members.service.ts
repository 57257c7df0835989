import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, type Repository } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../audit/audit.types.js';
import { NotFoundError, UsageError } from '../common/usage.error.js';
import {
  isProjectId,
  lockProject,
  type ProjectMember,
  ProjectMemberEntity,
  type ProjectRole,
  targetOf,
} from './project.types.js';
import { labelOf, type User } from './user.types.js';
import { UsersService } from './users.service.js';

/** Project → the person's role in it. */
export type ProjectRoles = ReadonlyMap<string, ProjectRole>;

/** A person in groups. */
export type Member = Pick<User, 'id' | 'email' | 'name'>;

/** Who can see and manage a project, besides administrators. */
@Injectable()
export class ProjectMembersService {
  constructor(
    @InjectRepository(ProjectMemberEntity) private readonly members: Repository<ProjectMemberEntity>,
    private readonly users: UsersService,
    private readonly audit: AuditService,
  ) {}

  /** By e-mail address. */
  async of(projectId: string): Promise<ProjectMember[]> {
    const rows = await this.members.findBy({ projectId });
    const users = await this.users.byId(rows.map(({ userId }) => userId));
    const found = rows.flatMap(({ userId, role, source }) => {
      const user = users.get(userId);
      return user ? [{ user, role, source }] : [];
    });
    return found.toSorted((a, b) => labelOf(a.user).localeCompare(labelOf(b.user)));
  }

  async rolesOf(userId: string): Promise<ProjectRoles> {
    const rows = await this.members.findBy({ userId });
    return new Map(rows.map(({ projectId, role }) => [projectId, role]));
  }

  /** Null: the person is not a member, or the project does not exist. */
  async roleIn(projectId: string, userId: string): Promise<ProjectRole | null> {
    if (!isProjectId(projectId)) return null;
    return (await this.members.findOneBy({ projectId, userId }))?.role ?? null;
  }

  /** Project → its number of members; projects without any are missing. */
  async counts(projectIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.members.find({ where: { projectId: In([...projectIds]) }, select: { projectId: true } });
    return new Map([...Map.groupBy(rows, ({ projectId }) => projectId)].map(([id, all]) => [id, all.length]));
  }

  /** Makes the membership independent of the groups in single sign-on. */
  async set(projectId: string, userId: string, role: ProjectRole, actor: Actor): Promise<void> {
    const user = await this.users.get(userId);
    await this.members.manager.transaction((manager) => this.setWithin(manager, projectId, user, role, actor));
  }

  /** In the caller's transaction. */
  async setWithin(
    manager: EntityManager,
    projectId: string,
    user: User,
    role: ProjectRole,
    actor: Actor,
  ): Promise<void> {
    if (user.kind !== 'person') throw new UsageError('Only people can be members of a project.', 'userId');
    const userId = user.id;
    const project = await lockProject(manager, projectId);
    const before = await manager.findOneBy(ProjectMemberEntity, { projectId, userId });
    if (before?.role === role && before.source === 'local') return;
    await manager.upsert(ProjectMemberEntity, { projectId, userId, role, source: 'local' }, ['projectId', 'userId']);
    if (before?.role === role) return;
    const change = { action: 'project.member', target: targetOf(project), ...changeOf(user, before?.role, role) };
    await this.audit.record(manager, actor, change);
  }

  /** Project → its managers, by e-mail address; projects without any are missing. */
  async managersOf(projectIds: readonly string[]): Promise<Map<string, User[]>> {
    const rows = await this.members.findBy({ projectId: In([...projectIds]), role: 'manager' });
    const users = await this.users.byId(rows.map(({ userId }) => userId));
    const groups = [...Map.groupBy(rows, ({ projectId }) => projectId)];
    return new Map(
      groups.map(([id, all]) => [
        id,
        all.flatMap(({ userId }) => users.get(userId) ?? []).toSorted((a, b) => labelOf(a).localeCompare(labelOf(b))),
      ]),
    );
  }

  async remove(projectId: string, userId: string, actor: Actor): Promise<void> {
    const user = await this.users.get(userId);
    await this.members.manager.transaction(async (manager) => {
      const project = await lockProject(manager, projectId);
      const before = await manager.findOneBy(ProjectMemberEntity, { projectId, userId });
      if (!before) throw new NotFoundError('This user is not a member of the project.');
      await manager.delete(ProjectMemberEntity, { projectId, userId });
      const change = { action: 'project.member', target: targetOf(project), ...changeOf(user, before.role, null) };
      await this.audit.record(manager, actor, change);
    });
  }

  /** Replaces the person's roles from groups by these; roles that people assigned stay. */
  async syncGroups(manager: EntityManager, user: Member, required: ProjectRoles, actor: Actor): Promise<void> {
    await manager.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [user.id]);
    const current = await manager.findBy(ProjectMemberEntity, { userId: user.id });
    for (const member of current) await this.sync(manager, user, member, required.get(member.projectId) ?? null, actor);
    const isCurrent = new Set(current.map(({ projectId }) => projectId));
    for (const [projectId, role] of required) {
      if (isCurrent.has(projectId)) continue;
      await manager.insert(ProjectMemberEntity, { projectId, userId: user.id, role, source: 'oidc' });
      await this.recordSync(manager, user, projectId, null, role, actor);
    }
  }

  private async sync(
    manager: EntityManager,
    user: Member,
    { projectId, userId, role, source }: ProjectMemberEntity,
    requiredRole: ProjectRole | null,
    actor: Actor,
  ): Promise<void> {
    if (source === 'local' || role === requiredRole) return;
    if (requiredRole === null) await manager.delete(ProjectMemberEntity, { projectId, userId });
    else await manager.update(ProjectMemberEntity, { projectId, userId }, { role: requiredRole });
    await this.recordSync(manager, user, projectId, role, requiredRole, actor);
  }

  private async recordSync(
    manager: EntityManager,
    user: Member,
    projectId: string,
    was: ProjectRole | null,
    role: ProjectRole | null,
    actor: Actor,
  ): Promise<void> {
    const [project]: { name: string }[] = await manager.query('SELECT name FROM projects WHERE id = $1', [projectId]);
    const target = targetOf({ id: projectId, name: project?.name ?? '' });
    await this.audit.record(manager, actor, { action: 'project.member', target, ...changeOf(user, was, role) });
  }
}

function changeOf(user: Member, was: ProjectRole | null | undefined, role: ProjectRole | null) {
  const userId = user.id;
  const member = labelOf(user);
  return {
    before: was ? { member, userId, role: was } : null,
    after: role ? { member, userId, role } : null,
  };
}
