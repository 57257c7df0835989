import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { Permission } from '../../accounts/permissions.js';
import type { ProjectRole } from '../../accounts/project.types.js';
import type { Viewer } from '../../accounts/user.types.js';
import { invalidRequest } from '../../common/gateway.error.js';
import type { UsageCallFilter, UsageQuestion, UsageRequestFilter } from '../../usage/usage.types.js';
import { ProjectAccessService } from '../projects/console-projects.service.js';
import type { OwnerScope } from '../shared/fields.js';
import { adminOnly } from '../shared/validation.js';
import type { CallProjectView } from './usage-call.view.js';
import type { CallConditionsQuery, UsageFilterQuery, UsageReportQuery } from './usage-query.dto.js';

/** Matches no user; an empty list would match all. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Totals, or single requests. */
type ReportPermission = Extract<Permission, 'usage.read' | 'requests.read'>;

/** The users of the projects that a query asks for. */
interface ResolvedProjects {
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
  async resolved<Query extends UsageFilterQuery>(
    query: Query,
    session: Viewer,
    permission: ReportPermission,
  ): Promise<Query & ResolvedProjects> {
    const { scope, projects = [], users } = query;
    if (projects.length === 0 && scope !== 'projects') return query;
    for (const project of projects) await this.access.assertMay(project, session, permission);
    const all = projects.length > 0 ? await this.usersIn(projects) : await this.usersOfOwnProjects(session);
    const ids = all.filter((id) => users === undefined || users.includes(id));
    return { ...query, projectUsers: ids.length > 0 ? ids : [NOBODY] };
  }

  /** Whose calls a person can see; null: everyone's. */
  async visibleOwners({ user, rights }: Viewer, permission: Permission): Promise<string[] | null> {
    if (rights.mayAll(permission)) return null;
    return [user.id, ...(await this.usersOfOwnProjects({ user }))];
  }

  /** The users for a scope; null: all. */
  async ownersIn(scope: OwnerScope, session: Viewer, permission: Permission): Promise<string[] | null> {
    if (scope === 'projects') return this.usersOfOwnProjects(session);
    if (scope === 'mine') return [session.user.id];
    if (!session.rights.mayAll(permission)) throw adminOnly();
    return null;
  }

  /** The person, and the users of the projects that the person manages. */
  async managedOwners({ user }: Viewer): Promise<string[]> {
    const managed = `SELECT u.id FROM users AS u JOIN project_members AS m ON m.project_id = u.project_id
      WHERE m.user_id = $1 AND m.role = 'manager'`;
    return [user.id, ...(await this.ids(managed, user.id))];
  }

  private async usersIn(projects: readonly string[]): Promise<string[]> {
    return this.ids('SELECT id FROM users WHERE project_id = ANY ($1::uuid[])', projects);
  }

  /** The users of the projects that a person is a member of; every member of a project can see its usage. */
  private async usersOfOwnProjects({ user }: Pick<Viewer, 'user'>): Promise<string[]> {
    return this.ids(
      'SELECT u.id FROM users AS u JOIN project_members AS m ON m.project_id = u.project_id WHERE m.user_id = $1',
      user.id,
    );
  }

  private async ids(sql: string, value: unknown): Promise<string[]> {
    const rows: { id: string }[] = await this.dataSource.query(sql, [value]);
    return rows.length > 0 ? rows.map(({ id }) => id) : [NOBODY];
  }

  /** Whether a person who sees a call can read its prompt and answer: those of a project are for its managers. */
  async mayReadContent(ownerId: string | null, { user, rights }: Viewer): Promise<boolean> {
    if (rights.mayAll('content.read') || ownerId === user.id) return true;
    const [row]: { role: ProjectRole }[] = await this.dataSource.query(
      `SELECT m.role FROM users AS u JOIN project_members AS m ON m.project_id = u.project_id
       WHERE u.id = $1 AND m.user_id = $2`,
      [ownerId, user.id],
    );
    return rights.mayIn(row?.role ?? null, 'content.read');
  }
}

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

  /** The temporary key of a playground is never listed and has no page. */
  async isPlaygroundKey(id: string | null): Promise<boolean> {
    const query = "SELECT FROM api_keys WHERE id = $1 AND kind = 'playground'";
    return id !== null && (await this.dataSource.query<unknown[]>(query, [id])).length > 0;
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

type Granularity = UsageQuestion['granularity'];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Ranges of more than three days are shown by day. */
const HOURLY_MS = 3 * DAY_MS + HOUR_MS;
/** A chart or table cannot show more points. */
const LONGEST: Record<Granularity, number> = {
  quarter: 8 * DAY_MS,
  hour: 94 * DAY_MS,
  day: 3700 * DAY_MS,
  month: 3700 * DAY_MS,
};

/**
 * The calls of a question: everyone's only for admins, otherwise the caller's own or those of the caller's projects,
 * within which a member can also filter by user.
 */
export function toCallFilter(
  query: UsageFilterQuery & ResolvedProjects,
  { user, rights }: Viewer,
  permission: ReportPermission,
): UsageCallFilter {
  const { projectUsers, scope, models, keys, statuses, apis, upstreams } = query;
  const from = new Date(query.from);
  const to = new Date(query.to);
  if (to <= from) throw invalidRequest('invalid_value', 'to', 'to must be later than from.');
  const namesUsers = query.users !== undefined && projectUsers === undefined;
  if (!rights.mayAll(permission) && (scope === 'all' || namesUsers || upstreams !== undefined)) throw adminOnly();
  const users = projectUsers ?? (scope === 'all' ? query.users : [user.id]);
  return { from, to, users, keys, models, statuses, apis, upstreams };
}

/** The requests that can have an error code; the roll-ups show where there are any. */
const ERROR_STATUSES = ['failed', 'interrupted', 'aborted', 'refused'];

/** With conditions on single calls. */
export function toRequestFilter(
  query: UsageFilterQuery & CallConditionsQuery & ResolvedProjects,
  session: Viewer,
): UsageRequestFilter {
  const { stream, simulated, minCostUsd, minMs, codes } = query;
  const httpStatuses = query.httpStatuses?.map(Number);
  const where = {
    stream: stream && stream === 'true',
    simulated: simulated && simulated === 'true',
    minCostUsd,
    minMs,
    codes,
    httpStatuses,
  };
  const filter = toCallFilter(query, session, 'requests.read');
  const isOfErrors = codes !== undefined || (httpStatuses?.every((status) => status >= 400) ?? false);
  return { ...filter, ...(isOfErrors && !filter.statuses && { statuses: ERROR_STATUSES }), where };
}

/** Of a histogram, which has a bar for each day of a long range. */
export function toHistogramFilter(...[query, session]: Parameters<typeof toRequestFilter>): UsageRequestFilter {
  const filter = toRequestFilter(query, session);
  assertCovered(filter, 'day', 'from', 'A histogram');
  return filter;
}

/** What to report about them. */
export function toQuestion(query: UsageReportQuery & ResolvedProjects, session: Viewer): UsageQuestion {
  const filter = toCallFilter(query, session, 'usage.read');
  const { groupBy, rankBy, zone, compare, simulated } = query;
  const isForAdmins = groupBy === 'upstream' || (groupBy === 'user' && query.projectUsers === undefined);
  if (isForAdmins && !session.rights.mayAll('usage.read')) throw adminOnly();
  const granularity = granularityOf(query, filter);
  return {
    ...filter,
    ...(simulated && { simulated: simulated === 'true' }),
    zone,
    granularity,
    groupBy: groupBy === 'none' ? null : groupBy,
    rankBy,
    compare: compare === 'true',
  };
}

function granularityOf({ granularity }: UsageReportQuery, filter: UsageCallFilter): Granularity {
  const chosen = granularity !== 'auto' ? granularity : msOf(filter) <= HOURLY_MS ? 'hour' : 'day';
  assertCovered(filter, chosen, 'granularity', `By ${chosen} a report`);
  return chosen;
}

function msOf({ from, to }: UsageCallFilter): number {
  return to.getTime() - from.getTime();
}

function assertCovered(filter: UsageCallFilter, granularity: Granularity, field: string, what: string): void {
  if (msOf(filter) <= LONGEST[granularity]) return;
  const days = Math.floor(LONGEST[granularity] / DAY_MS);
  throw invalidRequest('invalid_value', field, `${what} covers at most ${days} days.`);
}
