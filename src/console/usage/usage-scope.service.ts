import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { UsageFilterQuery } from './dto/usage-query.dto.js';

/** Matches no user. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Users never change their project, so that a filter by project is one by users. */
@Injectable()
export class UsageScopeService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The query with its projects as users. */
  async resolved<Query extends UsageFilterQuery>(query: Query): Promise<Query> {
    const { projects, users } = query;
    if (projects === undefined || projects.length === 0) return query;
    const rows: { id: string }[] = await this.dataSource.query('SELECT id FROM users WHERE project_id = ANY($1)', [
      projects,
    ]);
    const ids = rows.map(({ id }) => id).filter((id) => users === undefined || users.includes(id));
    return { ...query, users: ids.length > 0 ? ids : [NOBODY] };
  }
}
