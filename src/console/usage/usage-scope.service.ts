import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { ProjectMembersService } from '../../accounts/projects/project-members.service.js';
import type { Session } from '../../accounts/session.types.js';
import { adminOnly } from '../shared/console.errors.js';
import type { UsageFilterQuery } from './dto/usage-query.dto.js';

/** Marks a query whose users are those of the session's own projects; no client can send it. */
export const OF_OWN_PROJECTS = Symbol('of own projects');

/** Matches no user. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Users never change their project, so that a filter by project is one by users. */
@Injectable()
export class UsageScopeService {
  constructor(
    private readonly members: ProjectMembersService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** The query with its projects as users. Members can ask about the projects that they belong to. */
  async resolved<Query extends UsageFilterQuery>(query: Query, { user }: Session): Promise<Query> {
    const { projects, users } = query;
    if (projects === undefined || projects.length === 0) return query;
    const isMember = user.role !== 'admin';
    if (isMember && users !== undefined) throw adminOnly();
    if (isMember) await this.assertMember(projects, user.id);
    const rows: { id: string }[] = await this.dataSource.query('SELECT id FROM users WHERE project_id = ANY($1)', [
      projects,
    ]);
    const ids = rows.map(({ id }) => id).filter((id) => users === undefined || users.includes(id));
    const found = { ...query, users: ids.length > 0 ? ids : [NOBODY] };
    return isMember ? { ...found, [OF_OWN_PROJECTS]: true } : found;
  }

  private async assertMember(projects: readonly string[], userId: string): Promise<void> {
    const roles = await this.members.rolesOf(userId);
    if (projects.some((id) => !roles.has(id))) throw adminOnly();
  }
}
