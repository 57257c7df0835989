import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { Session } from '../../accounts/session.types.js';
import { ProjectAccessService } from '../projects/project-access.service.js';
import type { UsageFilterQuery } from './dto/usage-query.dto.js';

/** Matches no user. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** The users of the projects that a query asks for. */
export interface ResolvedProjects {
  readonly projectUsers?: readonly string[];
}

/** Users never change their project, so a filter by project is a filter by users. */
@Injectable()
export class UsageScopeService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly access: ProjectAccessService,
  ) {}

  /** The query with its projects as users, whatever its scope. Members ask only for projects of their own. */
  async resolved<Query extends UsageFilterQuery>(query: Query, session: Session): Promise<Query & ResolvedProjects> {
    const { projects, users } = query;
    if (projects === undefined || projects.length === 0) return query;
    for (const project of projects) await this.access.assertMay(project, session, 'see');
    const rows: { id: string }[] = await this.dataSource.query('SELECT id FROM users WHERE project_id = ANY($1)', [
      projects,
    ]);
    const ids = rows.map(({ id }) => id).filter((id) => users === undefined || users.includes(id));
    return { ...query, projectUsers: ids.length > 0 ? ids : [NOBODY] };
  }

  /** Whose calls a person can see; null: everyone's. */
  async visibleOwners({ user }: Session): Promise<string[] | null> {
    if (user.role === 'admin') return null;
    const rows: { id: string }[] = await this.dataSource.query(
      'SELECT u.id FROM users AS u JOIN project_members AS m ON m.project_id = u.project_id WHERE m.user_id = $1',
      [user.id],
    );
    return [user.id, ...rows.map(({ id }) => id)];
  }

  /** Whether a person who sees a call can read its prompt and answer: those of a project are for its managers. */
  async mayReadContent(ownerId: string | null, { user }: Session): Promise<boolean> {
    if (user.role === 'admin' || ownerId === user.id) return true;
    const rows: unknown[] = await this.dataSource.query(
      `SELECT FROM users AS u JOIN project_members AS m ON m.project_id = u.project_id
       WHERE u.id = $1 AND m.user_id = $2 AND m.role = 'manager'`,
      [ownerId, user.id],
    );
    return rows.length > 0;
  }
}
