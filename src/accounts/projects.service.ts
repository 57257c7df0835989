import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DatabaseError } from 'pg';
import { type DataSource, type EntityManager, QueryFailedError } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../audit/audit.types.js';
import { UsageError } from '../common/usage.error.js';
import { notifyCallerChanged } from '../database/changes.service.js';
import { rowBatches } from '../database/lists.js';
import {
  isProjectId,
  lockProject,
  noSuchProject,
  PROJECTS,
  type Project,
  targetOf,
  toProjectName,
} from './project.types.js';

/** An error code of PostgreSQL. */
const UNIQUE_VIOLATION = '23505';

/** Projects and the users that represent them. Methods throw a `UsageError` for invalid input. */
@Injectable()
export class ProjectsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly audit: AuditService,
  ) {}

  /** `setUp`: in the same transaction, what the project has from its start. */
  async create(
    requestedName: string,
    actor: Actor,
    setUp?: (manager: EntityManager, project: Project) => Promise<unknown>,
  ): Promise<Project> {
    const name = toProjectName(requestedName);
    return this.dataSource.transaction(async (manager) => {
      const inserted: { id: string }[] = await manager.query(
        'INSERT INTO projects (name) VALUES ($1) ON CONFLICT DO NOTHING RETURNING id',
        [name],
      );
      const [row] = inserted;
      if (!row) throw nameTaken(name);
      await manager.query("INSERT INTO users (name, kind, role, project_id) VALUES ($1, 'project', 'member', $2)", [
        name,
        row.id,
      ]);
      const project = await lockProject(manager, row.id);
      await this.audit.record(manager, actor, { action: 'project.create', target: targetOf(project), after: { name } });
      await setUp?.(manager, project);
      return project;
    });
  }

  async rename(id: string, requestedName: string, actor: Actor): Promise<Project> {
    const name = toProjectName(requestedName);
    return this.dataSource.transaction(async (manager) => {
      const project = await lockProject(manager, id);
      if (name === project.name) return project;
      await this.setName(manager, project, name);
      const [before, after] = [{ name: project.name }, { name }];
      const target = targetOf({ id, name });
      await this.audit.record(manager, actor, { action: 'project.update', target, before, after });
      return { ...project, name };
    });
  }

  /** Permanent. The project's keys and service accounts stop working within a second. */
  async archive(id: string, actor: Actor): Promise<Project> {
    return this.dataSource.transaction(async (manager) => {
      const project = await lockProject(manager, id);
      const [updated]: [{ archivedAt: Date }[]] = await manager.query(
        'UPDATE projects SET archived_at = now() WHERE id = $1 RETURNING archived_at AS "archivedAt"',
        [id],
      );
      await manager.query('UPDATE users SET disabled_at = now() WHERE project_id = $1 AND disabled_at IS NULL', [id]);
      await manager.query('DELETE FROM cached_answers WHERE owner_id = $1', [id]);
      await this.audit.record(manager, actor, { action: 'project.archive', target: targetOf(project) });
      await notifyCallerChanged(manager, 'project', id);
      return { ...project, archivedAt: updated[0]?.archivedAt ?? null };
    });
  }

  /** Whether prompts and answers of all its keys are stored; effective within a second. */
  async switchContentLog(id: string, isOn: boolean, actor: Actor): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const project = await lockProject(manager, id);
      if (project.logsContent === isOn) return;
      await manager.query('UPDATE projects SET logs_content = $2 WHERE id = $1', [id, isOn]);
      await this.audit.record(manager, actor, {
        action: 'project.content_log',
        target: targetOf(project),
        before: { contentLog: !isOn },
        after: { contentLog: isOn },
      });
      await notifyCallerChanged(manager, 'project', id);
    });
  }

  async get(id: string): Promise<Project> {
    const project = (await this.byId(isProjectId(id) ? [id] : [])).get(id.toLowerCase());
    if (!project) throw noSuchProject();
    return project;
  }

  /** A project that is not archived, by name regardless of case. Null if there is none. */
  async findByName(name: string): Promise<Project | null> {
    const query = `${PROJECTS} WHERE lower(p.name) = lower($1) AND p.archived_at IS NULL`;
    const [project]: Project[] = await this.dataSource.query(query, [name.trim()]);
    return project ?? null;
  }

  async getByName(name: string): Promise<Project> {
    const project = await this.findByName(name);
    if (!project) throw new UsageError(`There is no project named ${name}.`);
    return project;
  }

  /** By id, archived ones too; unknown ids are missing. */
  async byId(ids: readonly string[]): Promise<Map<string, Project>> {
    if (ids.length === 0) return new Map();
    const query = `${PROJECTS} WHERE p.id = ANY ($1::uuid[])`;
    const found: Project[] = await this.dataSource.query(query, [[...new Set(ids)]]);
    return new Map(found.map((project) => [project.id, project]));
  }

  /** Project → the ids of the users that own its keys: the one that represents it, and its service accounts. */
  async userIdsOf(projectIds: readonly string[]): Promise<Map<string, string[]>> {
    const query = 'SELECT id, project_id AS project FROM users WHERE project_id = ANY ($1::uuid[])';
    const rows: { id: string; project: string }[] = await this.dataSource.query(query, [projectIds]);
    const groups = [...Map.groupBy(rows, ({ project }) => project)];
    return new Map(groups.map(([project, users]) => [project, users.map(({ id }) => id)]));
  }

  /** Every project, or those that are or are not archived, oldest first, in batches. */
  batches(isArchived: boolean | null = null): AsyncGenerator<Project[]> {
    const where = 'WHERE $1::boolean IS NULL OR (p.archived_at IS NOT NULL) = $1';
    return rowBatches<Project>(this.dataSource, `${PROJECTS} ${where} ORDER BY p.created_at, p.id`, [isArchived]);
  }

  private async setName(manager: EntityManager, { id, userId }: Project, name: string): Promise<void> {
    await manager.query('UPDATE projects SET name = $2 WHERE id = $1', [id, name]).catch((error: unknown) => {
      throw isUniqueViolation(error) ? nameTaken(name) : error;
    });
    await manager.query('UPDATE users SET name = $2 WHERE id = $1', [userId, name]);
  }
}

/** Another project has the name, possibly since a moment ago. */
function isUniqueViolation(error: unknown): boolean {
  return error instanceof QueryFailedError && (error.driverError as DatabaseError).code === UNIQUE_VIOLATION;
}

function nameTaken(name: string): UsageError {
  return new UsageError(`There is already a project named ${name}.`, 'name');
}
