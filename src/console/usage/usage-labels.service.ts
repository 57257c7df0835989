import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { CallProjectView } from './dto/usage-call.view.js';

/** A key or user in words. */
export interface UsageLabel {
  readonly label: string;
  readonly detail: string | null;
}

/** Calls outlive the keys and users that made them. */
const UNKNOWN: UsageLabel = { label: 'Unknown', detail: null };

const UNKNOWN_KEY: UsageLabel = { label: 'Unknown key', detail: null };

type LabelOf = (id: string | null) => UsageLabel;

/** The names of keys, users and projects, including playground keys and revoked ones. */
@Injectable()
export class UsageLabelsService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** A key's name and display form. */
  async ofKeys(ids: readonly (string | null)[]): Promise<LabelOf> {
    const labelOf = await this.labels(
      'SELECT id, name AS label, display AS detail FROM api_keys WHERE id = ANY($1)',
      ids,
    );
    return (id) => (id === null ? UNKNOWN_KEY : labelOf(id));
  }

  /** A user's e-mail address and name; of a service account, its name and project. */
  async ofUsers(ids: readonly (string | null)[]): Promise<LabelOf> {
    return this.labels(
      `SELECT u.id, coalesce(u.email, u.name) AS label, CASE WHEN u.kind = 'project' THEN 'Project'
         WHEN p.id IS NOT NULL THEN 'Project ' || p.name WHEN u.email IS NOT NULL THEN nullif(u.name, '') END AS detail
       FROM users AS u LEFT JOIN projects AS p ON p.id = u.project_id WHERE u.id = ANY($1)`,
      ids,
    );
  }

  /** A project's name. */
  async ofProjects(ids: readonly (string | null)[]): Promise<LabelOf> {
    return this.labels('SELECT id, name AS label, NULL AS detail FROM projects WHERE id = ANY($1)', ids);
  }

  /** The project of a user; null for users of no project. */
  async projectOf(userIds: readonly (string | null)[]): Promise<(userId: string | null) => CallProjectView | null> {
    const query = `
      SELECT u.id AS "userId", p.id, p.name, u.kind = 'project' AS "isOwner"
      FROM users AS u JOIN projects AS p ON p.id = u.project_id WHERE u.id = ANY($1)`;
    const rows: (CallProjectView & { userId: string })[] = await this.dataSource.query(query, [
      userIds.filter((id) => id !== null),
    ]);
    const projects = new Map(rows.map(({ userId, ...project }) => [userId, project]));
    return (userId) => projects.get(userId ?? '') ?? null;
  }

  private async labels(sql: string, ids: readonly (string | null)[]): Promise<LabelOf> {
    const distinct = [...new Set(ids.filter((id) => id !== null))];
    const rows: ({ id: string } & UsageLabel)[] =
      distinct.length > 0 ? await this.dataSource.query(sql, [distinct]) : [];
    const byId = new Map(rows.map(({ id, label, detail }) => [id, { label, detail }]));
    return (id) => byId.get(id ?? '') ?? UNKNOWN;
  }
}
