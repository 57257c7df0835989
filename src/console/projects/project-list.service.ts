import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { Project } from '../../accounts/projects/project.types.js';
import { ProjectsService } from '../../accounts/projects/projects.service.js';
import { ClockService } from '../../database/clock.service.js';
import { countRows, type ListTotal } from '../../database/lists/counted.js';
import { behindPlace, type ListPlace, placeOfCursor, type SortBy } from '../../database/lists/list-place.js';
import { holdsPattern, searchPatterns } from '../../database/lists/search-words.js';
import { queryWithSpending } from '../../usage/reports/spending.js';
import { toOrder } from '../lists/list-query.js';
import type { ProjectSort, ProjectsQuery } from './dto/project-requests.dto.js';

/** `spent` needs the relation `spent`. */
const COLUMNS: Readonly<Record<ProjectSort, SortBy>> = {
  name: { sql: 'lower(p.name)', type: 'text' },
  created: { sql: 'p.created_at', type: 'timestamptz' },
  spent: { sql: 'coalesce(spent.cost, 0)', type: 'bigint' },
};

const STATUS = { active: 'p.archived_at IS NULL', archived: 'p.archived_at IS NOT NULL', all: 'true' };

export interface ListedProject {
  readonly project: Project;
  readonly place: ListPlace;
}

/** Projects, sorted, searched and paged by the database. */
@Injectable()
export class ProjectListService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly clock: ClockService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** At most `limit` of them; `memberId`: only this person's. */
  async page(query: ProjectsQuery, memberId: string | null, limit: number): Promise<ListedProject[]> {
    const { sort, descending } = toOrder<ProjectSort>(query.sort);
    const by = COLUMNS[sort];
    const place = query.cursor === undefined ? null : placeOfCursor(query.cursor, by);
    const { where, values } = listed(query, memberId);
    const behind = behindPlace({ sort: by, descending, id: 'p.id', place, firstParameter: values.length + 1 });
    values.push(...behind.values);
    const select = (join: string) => `
      SELECT p.id, (${by.sql})::text AS value FROM projects AS p ${join}
      WHERE ${where} AND ${behind.condition} ORDER BY ${behind.order} LIMIT ${limit}`;
    const toSql = (spent: string) =>
      select(`LEFT JOIN (
        SELECT u.project_id AS id, sum(s.cost)::bigint AS cost FROM (${spent}) AS s JOIN users AS u ON u.id = s.id
        WHERE u.project_id IS NOT NULL GROUP BY u.project_id
      ) AS spent ON spent.id = p.id`);
    const places: ListPlace[] = await (sort === 'spent'
      ? queryWithSpending<ListPlace>(this.dataSource, { of: 'user', now: this.clock.date(), values, toSql })
      : this.dataSource.query(select(''), values));
    const projects = await this.projects.byId(places.map(({ id }) => id));
    return places.flatMap((one) => {
      const project = projects.get(one.id);
      return project ? [{ project, place: one }] : [];
    });
  }

  count(query: ProjectsQuery, memberId: string | null): Promise<ListTotal> {
    const { where, values } = listed(query, memberId);
    return countRows(this.dataSource, `FROM projects AS p WHERE ${where}`, values);
  }
}

function listed({ q, ids, status }: ProjectsQuery, memberId: string | null): { where: string; values: unknown[] } {
  const values: unknown[] = [];
  const conditions: string[] = [STATUS[status]];
  const add = (value: unknown, toCondition: (parameter: string) => string) => {
    values.push(value);
    conditions.push(toCondition(`$${values.length}`));
  };
  if (memberId !== null) {
    add(memberId, (id) => `p.id IN (SELECT project_id FROM project_members WHERE user_id = ${id}::uuid)`);
  }
  if (ids) add(ids, (all) => `p.id = ANY(${all}::uuid[])`);
  for (const pattern of searchPatterns(q)) add(pattern, (word) => holdsPattern('p.name', pattern, word));
  return { where: conditions.join(' AND '), values };
}
