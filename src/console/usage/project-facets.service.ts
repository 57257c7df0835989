import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { UsageRequestFilter } from '../../usage/reports/usage-call.types.js';
import { RequestFacetsService } from '../../usage/requests/request-facets.service.js';
import type { RequestFacetOptionView, RequestFacetView } from './dto/request-counts.view.js';

interface ProjectUser {
  userId: string;
  projectId: string;
  name: string;
}

/** The requests of each project: those of its users. */
@Injectable()
export class ProjectFacetsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly facets: RequestFacetsService,
  ) {}

  async of(filter: UsageRequestFilter): Promise<RequestFacetView> {
    const users: ProjectUser[] = await this.dataSource.query(
      `SELECT users.id AS "userId", projects.id AS "projectId", projects.name
       FROM users JOIN projects ON projects.id = project_id`,
    );
    if (users.length === 0) return { options: [], newest: null };
    const { counts, newest } = await this.facets.ofUsers(
      filter,
      users.map(({ userId }) => userId),
    );
    const countOf = new Map(counts.map(({ id, count }) => [id, count]));
    const options = new Map<string, RequestFacetOptionView>();
    for (const { userId, projectId, name } of users) {
      const before = options.get(projectId)?.count ?? 0;
      options.set(projectId, { id: projectId, label: name, detail: null, count: before + (countOf.get(userId) ?? 0) });
    }
    return { options: [...options.values()].sort((a, b) => b.count - a.count), newest };
  }
}
