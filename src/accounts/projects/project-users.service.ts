import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';

/** The users of projects, who own the keys: the user that represents the project, and its service accounts. */
@Injectable()
export class ProjectUsersService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Project → the ids of its users; never empty for a project. */
  async of(projectIds: readonly string[]): Promise<Map<string, string[]>> {
    if (projectIds.length === 0) return new Map();
    const rows: { id: string; project: string }[] = await this.dataSource.query(
      'SELECT id, project_id AS project FROM users WHERE project_id = ANY ($1::uuid[]) ORDER BY created_at, id',
      [projectIds],
    );
    const groups = [...Map.groupBy(rows, ({ project }) => project)];
    return new Map(groups.map(([project, users]) => [project, users.map(({ id }) => id)]));
  }
}
