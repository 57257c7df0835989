import type { EntityManager } from 'typeorm';
import { SYNCED_SOURCES } from '../billing/plan.types.js';
import { cacheText } from '../cache/cache-settings.service.js';
import type { LimitScope } from '../limits/values/limit-values.js';
import type { LimitValuesService } from '../limits/values/limit-values.service.js';
import { type Entity, entity, type Fields, type Kind, type Owner, shownLimits } from './company.js';

/** A present entity, with what the plan of changes must know besides its fields. */
export interface Present extends Entity {
  readonly id: string;
  readonly applied: 'made' | 'pruned' | null;
  /** Of a user, and of the project itself: who owns its keys and has its plan. */
  readonly userId: string | null;
  /** Of a user who was replaced by a pseudonym. */
  readonly isForgotten: boolean;
  /** Of a key: when its secret was made. */
  readonly since: Date | null;
}

export interface CompanyState {
  /** Owners before what belongs to them. */
  readonly entities: readonly Present[];
  /** Administrators who can sign in, of the whole gateway. */
  readonly admins: number;
  /** Owner's id → keys that are neither revoked nor expired. */
  readonly liveKeys: ReadonlyMap<string, number>;
}

interface UserRow {
  id: string;
  email: string | null;
  name: string;
  role: string;
  kind: 'person' | 'service' | 'project';
  projectId: string | null;
  isDisabled: boolean;
  isForgotten: boolean;
}

interface KeyRow {
  id: string;
  userId: string;
  name: string;
  note: string;
  models: string[] | null;
  addresses: string[] | null;
  expires: Date | null;
  disabled: boolean;
  contentLog: boolean;
  cacheSeconds: number | null;
  guards: string[];
  since: Date;
  isLive: boolean;
}

const GRANTS = `
  SELECT user_id AS "userId", plan_id AS "planId", bool_or(ends_at IS NULL) AS "isEndless", max(ends_at) AS until
  FROM plan_grants WHERE user_id = ANY ($1::uuid[]) AND starts_at <= now() AND (ends_at IS NULL OR ends_at > now())
    AND source <> ALL ($2::text[])
  GROUP BY user_id, plan_id ORDER BY user_id, plan_id`;

const KEYS = `
  SELECT id, user_id AS "userId", name, note, models, addresses, expires_at AS expires, disabled_at IS NOT NULL AS disabled,
    logs_content AS "contentLog", cache_seconds AS "cacheSeconds", guards, coalesce(rotated_at, created_at) AS since, expires_at IS NULL OR expires_at > now() AS "isLive"
  FROM api_keys WHERE user_id = ANY ($1::uuid[]) AND kind = 'user' AND revoked_at IS NULL ORDER BY id`;

/**
 * What the database has: every plan and project, and of the people those that `emails` name or an earlier apply made;
 * null for all. `locks`: the rows stay as they are until the transaction ends.
 */
export async function readCompanyState(
  manager: EntityManager,
  limits: LimitValuesService,
  emails: readonly string[] | null,
  locks: boolean,
): Promise<CompanyState> {
  if (locks) {
    await manager.query('SELECT pg_advisory_xact_lock(26487, 9)');
    await manager.query('LOCK TABLE plans IN SHARE ROW EXCLUSIVE MODE');
    await manager.query(`SELECT 1 FROM users WHERE role = 'admin' ORDER BY id FOR UPDATE`);
    await manager.query('SELECT 1 FROM projects WHERE archived_at IS NULL ORDER BY id FOR UPDATE');
  }
  const marks: { kind: Kind; id: string; pruned: boolean }[] = await manager.query('SELECT * FROM applied_objects');
  const applied = new Map(marks.map(({ kind, id, pruned }) => [`${kind} ${id}`, pruned ? 'pruned' : 'made'] as const));
  const users: UserRow[] = await manager.query(
    `SELECT u.id, email, u.name, role, kind, project_id AS "projectId", disabled_at IS NOT NULL AS "isDisabled",
       forgotten_at IS NOT NULL AS "isForgotten"
     FROM users AS u LEFT JOIN projects AS p ON p.id = u.project_id
     WHERE p.archived_at IS NULL AND ($1::text[] IS NULL OR email = ANY ($1) OR project_id IS NOT NULL
       OR u.id::text IN (SELECT id FROM applied_objects WHERE kind = 'user')
       OR u.id IN (SELECT user_id FROM project_members))
     ORDER BY u.id${locks ? ' FOR NO KEY UPDATE OF u' : ''}`,
    [emails],
  );
  const ids = users.map(({ id }) => id);
  const plans: ({ id: string; name: string } & Fields)[] = await manager.query(
    'SELECT id, name, tiers, models, rank, retired_at IS NOT NULL AS retired, guards FROM plans ORDER BY rank',
  );
  const projects: { id: string; name: string; contentLog: boolean; cacheSeconds: number | null; guards: string[] }[] =
    await manager.query(
      `SELECT id, name, logs_content AS "contentLog", cache_seconds AS "cacheSeconds", guards
       FROM projects WHERE archived_at IS NULL ORDER BY lower(name)`,
    );
  const members: { projectId: string; userId: string; role: string }[] = await manager.query(
    `SELECT m.project_id AS "projectId", user_id AS "userId", m.role
     FROM project_members AS m JOIN users ON users.id = user_id WHERE source = 'local' ORDER BY email`,
  );
  const keys: KeyRow[] = await manager.query(`${KEYS}${locks ? ' FOR NO KEY UPDATE' : ''}`, [ids]);
  const grants = await grantsOf(manager, ids);
  const limitsOf = await limitReader(manager, limits, { plan: plans, user: users, project: projects, key: keys });
  const [{ admins }] = await manager.query(
    `SELECT count(*)::int AS admins FROM users WHERE role = 'admin' AND kind = 'person' AND disabled_at IS NULL`,
  );
  const present = (found: Entity, id: string, rest: Partial<Present> = {}): Present => {
    const mark = applied.get(`${found.kind} ${id}`) ?? null;
    return { ...found, id, applied: mark, userId: null, isForgotten: false, since: null, ...rest };
  };
  const entities: Present[] = [];
  const add = (found: Present): Present => {
    entities.push(found);
    return found;
  };
  for (const { id, ...fields } of plans)
    add(present(entity('plan', id, null, { ...fields, ...limitsOf('plan', id) }), id));
  const owners = new Map<string, Owner>();
  const people = sorted(
    users.filter(({ projectId }) => projectId === null),
    ({ email }) => email ?? '',
  );
  for (const { id, email, name, role, kind, isDisabled: disabled, isForgotten } of people) {
    const fields = { name, kind, role, disabled, plan: grants.get(id) ?? {}, ...limitsOf('user', id) };
    const found = entity('user', email ?? '', null, fields);
    owners.set(id, add(present(found, id, { userId: id, isForgotten })));
  }
  const accounts = sorted(
    users.filter(({ kind }) => kind === 'service'),
    ({ name }) => name,
  );
  const byId = new Map(users.map((user) => [user.id, user]));
  for (const { id, name, contentLog, cacheSeconds, guards } of projects) {
    const userId = users.find((user) => user.projectId === id && user.kind === 'project')?.id ?? '';
    const fields = {
      plan: grants.get(userId) ?? {},
      contentLog,
      cache: cacheText(cacheSeconds),
      guards,
      ...limitsOf('project', id),
    };
    const project = add(present(entity('project', name, null, fields), id, { userId }));
    owners.set(userId, project);
    for (const member of members.filter(({ projectId }) => projectId === id)) {
      const email = byId.get(member.userId)?.email ?? '';
      add(present(entity('member', email, project, { role: member.role }), `${id} ${member.userId}`));
    }
    for (const account of accounts.filter(({ projectId }) => projectId === id)) {
      const own = { disabled: account.isDisabled, ...limitsOf('user', account.id) };
      const found = entity('service account', account.name, project, own);
      owners.set(account.id, add(present(found, account.id, { userId: account.id })));
    }
  }
  for (const { id, userId, name, isLive: _, since, expires, cacheSeconds, ...fields } of sorted(
    keys,
    ({ name }) => name,
  )) {
    const owner = owners.get(userId);
    if (!owner) continue;
    const own = {
      ...fields,
      cache: cacheText(cacheSeconds),
      expires: expires?.toISOString() ?? null,
      ...limitsOf('key', id),
    };
    add(present(entity('key', name, owner, own), id, { since }));
  }
  const live = Map.groupBy(
    keys.filter(({ isLive }) => isLive),
    ({ userId }) => userId,
  );
  return { entities, admins, liveKeys: new Map([...live].map(([id, own]) => [id, own.length])) };
}

function sorted<Row extends { readonly id: string }>(rows: readonly Row[], nameOf: (row: Row) => string): Row[] {
  return rows.toSorted((a, b) => (nameOf(a) === nameOf(b) ? Number(a.id > b.id) : nameOf(a) < nameOf(b) ? -1 : 1));
}

/** User → plan → its end. */
async function grantsOf(manager: EntityManager, ids: readonly string[]) {
  const rows: { userId: string; planId: string; isEndless: boolean; until: Date }[] = await manager.query(GRANTS, [
    ids,
    SYNCED_SOURCES,
  ]);
  const granted = [...Map.groupBy(rows, ({ userId }) => userId)].map(([userId, own]) => {
    const ends = own.map(({ planId, isEndless, until }) => [planId, isEndless ? null : until.toISOString()] as const);
    return [userId, Object.fromEntries(ends.toSorted(([a], [b]) => (a < b ? -1 : 1)))] as const;
  });
  return new Map(granted);
}

type Subjects = Readonly<Record<LimitScope, readonly { readonly id: string }[]>>;

async function limitReader(manager: EntityManager, limits: LimitValuesService, subjects: Subjects) {
  const found = new Map<string, Fields>();
  for (const scope of Object.keys(subjects) as LimitScope[]) {
    const ids = subjects[scope].map(({ id }) => id);
    for (const [id, { values }] of await limits.of(scope, ids, manager))
      found.set(`${scope} ${id}`, shownLimits(values));
  }
  return (scope: LimitScope, id: string): Fields => found.get(`${scope} ${id}`) ?? {};
}
