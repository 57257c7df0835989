import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { markSetUp } from '../accounts/user-changes.js';
import type { AuditService } from '../audit/audit.service.js';
import type { Actor, AuditChange, AuditTarget } from '../audit/audit.types.js';
import { newSecret } from '../auth/api-key.secret.js';
import { SYNCED_SOURCES } from '../billing/plan.types.js';
import { UsageError } from '../common/usage.error.js';
import { notifyAllCallersChanged, notifyCallerChanged } from '../database/changes.service.js';
import { LIMITS, type LimitScope, toLimitChange } from '../limits/values/limit-values.js';
import type { LimitValuesService, StoredLimit } from '../limits/values/limit-values.service.js';
import type { AppliedKey, Change, Entity, FieldValue, Kind } from './company.js';
import { creationEntry, limitName, OF_ROW, REMOVALS, updateEntries } from './company-audit.js';
import { defaultOf, fieldOf } from './company-plan.js';
import { SETTERS } from './company-setters.js';
import type { CompanyState } from './company-state.js';

interface Ids {
  readonly id: string;
  /** Who owns its keys and has its plan. */
  readonly userId: string;
}

type Row = Readonly<Record<string, unknown>>;
type Granted = Readonly<Record<string, string | null>>;

/** More notifications than these cost more than reading every caller again. */
const MANY_CALLERS = 100;

const SCOPES: Partial<Record<Kind, LimitScope>> = {
  plan: 'plan',
  user: 'user',
  project: 'project',
  'service account': 'user',
  key: 'key',
};

const CURRENT = `starts_at <= now() AND (ends_at IS NULL OR ends_at > now()) AND source <> ALL ($2::text[])`;

/** Carries out changes with a few statements for each kind, in one transaction. */
export class CompanyWriter {
  private readonly ids = new Map<string, Ids>();
  private readonly changed = new Set<string>();
  private readonly entries: AuditChange[] = [];

  constructor(
    private readonly manager: EntityManager,
    state: CompanyState,
    private readonly actor: Actor,
    private readonly services: { readonly audit: AuditService; readonly limits: LimitValuesService },
    /** Of a new key for which the file has none. */
    private readonly keyExpiry: string | null,
  ) {
    for (const { key, id, userId } of state.entities) this.ids.set(key, { id, userId: userId ?? id });
  }

  async write(changes: readonly Change[]): Promise<AppliedKey[]> {
    const created = changes.filter(({ action }) => action === 'create').map(({ entity }) => entity);
    const keys = await this.create(created);
    const updates = [...created.flatMap(settingsOf), ...changes.filter(({ action }) => action === 'update')];
    await this.set(updates);
    await this.setLimits(updates);
    await this.setPlans(updates);
    const removed = changes.filter(({ action }) => action === 'remove').map(({ entity }) => entity);
    await this.remove(removed);
    await this.endAccess(updates, removed);
    await this.mark(created, updates, removed);
    if (created.some(({ fields }) => fields.role === 'admin') || updates.some(({ after }) => after === 'admin')) {
      await markSetUp(this.manager);
    }
    this.entries.push(...updateEntries(updates, (one) => this.targetOf(one)));
    await this.services.audit.recordAll(this.manager, this.actor, this.entries);
    await this.notify();
    return keys;
  }

  private async create(created: readonly Entity[]): Promise<AppliedKey[]> {
    const of = (kind: Kind) => created.filter((one) => one.kind === kind);
    for (const one of created) if (one.kind !== 'member') this.ids.set(one.key, this.newIds(one));
    const keys: AppliedKey[] = [];
    await this.insert(of('plan'), 'plans (id, name, tiers, models, rank)', 'text, text, text[], text[], int', (one) => [
      one.name,
      ...['name', 'tiers', 'models', 'rank'].map((field) => fieldOf(one, field)),
    ]);
    await this.insert(of('user'), 'users (id, email, name, kind, role)', 'uuid, text, text, text, text', (one) => [
      this.idsOf(one.key).id,
      one.name,
      ...['name', 'kind', 'role'].map((field) => fieldOf(one, field)),
    ]);
    await this.insert(of('project'), 'projects (id, name)', 'uuid, text', (one) => [this.idsOf(one.key).id, one.name]);
    await this.insert(
      created.filter(({ kind }) => kind === 'project' || kind === 'service account'),
      'users (id, name, kind, role, project_id)',
      'uuid, text, text, text, uuid',
      ({ key, kind, name, owner }) => [
        this.idsOf(key).userId,
        name,
        kind === 'project' ? 'project' : 'service',
        'member',
        this.idsOf(owner?.key ?? key).id,
      ],
    );
    await this.setMembers(of('member').map((one) => [one, fieldOf(one, 'role')] as const));
    const columns =
      'id, user_id, name, note, models, addresses, expires_at, key_hash, display, bound_by, bound_models, bound_addresses, bound_expires_at';
    const types = 'uuid, uuid, text, text, text[], text[], timestamptz, bytea, text, uuid, text[], text[], timestamptz';
    await this.insert(of('key'), `api_keys (${columns})`, types, (one) => {
      const { key, stored } = newSecret();
      const { id, userId } = this.idsOf(one.key);
      keys.push({ path: one.path.map(String), id, display: stored.display, key });
      const stated = ['models', 'addresses', 'expires'].map((field) => fieldOf(one, field));
      const limits = one.fields.expires === undefined ? stated.with(2, this.keyExpiry) : stated;
      const bounds = this.binds(one) ? stated : [null, null, null];
      const hash = `\\x${stored.keyHash.toString('hex')}`;
      return [id, userId, one.name, fieldOf(one, 'note'), ...limits, hash, stored.display, this.actor.id, ...bounds];
    });
    for (const one of created)
      if (one.kind !== 'member') this.entries.push(creationEntry(one, this.targetOf(one), this.idsOf(one.key).userId));
    return keys;
  }

  /** `into`: table and columns; `types`: theirs. */
  private async insert(
    entities: readonly Entity[],
    into: string,
    types: string,
    valuesOf: (one: Entity) => readonly unknown[],
  ): Promise<void> {
    if (entities.length === 0) return;
    const columns = types.split(', ').map((type, index) => `c${index} ${type}`);
    const rows = entities.map((one) => Object.fromEntries(valuesOf(one).map((value, index) => [`c${index}`, value])));
    const inserted: unknown[] = await this.manager.query(
      `INSERT INTO ${into} SELECT * FROM json_to_recordset($1) AS one (${columns.join(', ')}) ON CONFLICT DO NOTHING RETURNING 1`,
      [JSON.stringify(rows)],
    );
    if (inserted.length < entities.length) {
      throw new UsageError('Something of the file was created at the same time by someone else. Apply it again.');
    }
  }

  private async set(updates: readonly Change[]): Promise<void> {
    const members = updates.filter(({ entity }) => entity.kind === 'member');
    await this.setMembers(members.map(({ entity, before, after }) => [entity, after, before] as const));
    for (const [name, own] of Map.groupBy(updates, ({ entity, field }) => `${entity.kind}.${field}`)) {
      const setter = SETTERS[name];
      if (!setter) continue;
      const { table, type, set } = setter;
      const id = table === 'plans' ? 'text' : 'uuid';
      const rows = own.map(({ entity, after }) => {
        return { ref: this.idsOf(entity.key, entity).id, value: after, binds: this.binds(entity) };
      });
      const values = [JSON.stringify(rows), ...(set.includes('$2') ? [this.actor.id] : [])];
      await this.manager.query(
        `UPDATE ${table} SET ${set} FROM json_to_recordset($1) AS one (ref ${id}, value ${type}, binds boolean) WHERE id = ref`,
        values,
      );
      for (const { entity } of own) this.touch(entity);
    }
    // Ranks are unique at every moment, so that they change by way of negative ones.
    if (updates.some(({ field }) => field === 'rank')) {
      await this.manager.query('UPDATE plans SET rank = -rank WHERE rank < 0');
      this.changed.add('all');
    }
  }

  private async setMembers(members: readonly (readonly [Entity, FieldValue, FieldValue?])[]): Promise<void> {
    if (members.length === 0) return;
    const rows = members.map(([{ name, owner }, role]) => ({
      project: this.idsOf(owner?.key ?? '').id,
      email: name,
      role,
    }));
    const stored: { email: string; id: string }[] = await this.manager.query(
      `WITH given AS (
         SELECT project, u.id, u.email, given.role
         FROM json_to_recordset($1) AS given (project uuid, email text, role text) JOIN users AS u USING (email)
       ), stored AS (
         INSERT INTO project_members (project_id, user_id, role, source) SELECT project, id, role, 'local' FROM given
         ON CONFLICT (project_id, user_id) DO UPDATE SET role = excluded.role, source = 'local'
       )
       SELECT DISTINCT id, email FROM given`,
      [JSON.stringify(rows)],
    );
    const ids = new Map(stored.map(({ id, email }) => [email, id]));
    for (const [entity, role, was] of members) {
      const userId = ids.get(entity.name) ?? '';
      const project = this.idsOf(entity.owner?.key ?? '').id;
      this.ids.set(entity.key, { id: `${project} ${userId}`, userId });
      const member = { member: entity.name, userId };
      const before = was === undefined ? null : { ...member, role: was };
      this.entries.push({
        action: 'project.member',
        target: this.targetOf(entity),
        before,
        after: { ...member, role },
      });
    }
  }

  private async setLimits(updates: readonly Change[]): Promise<void> {
    const values = updates.flatMap(({ entity, field, before, after }): StoredLimit[] => {
      const name = limitName(field);
      const scope = SCOPES[entity.kind];
      if (name === null || scope === undefined) return [];
      this.touch(entity);
      const isPlan = scope === 'user';
      const amountOf = (value: FieldValue) =>
        toLimitChange({ [LIMITS[name].shown]: value }, { allowsPlan: isPlan })[name] ?? null;
      const amount = amountOf(after);
      const binds = scope === 'project' || (scope === 'key' && this.binds(entity));
      const isNewBudget = typeof amount === 'bigint' && typeof amountOf(before) !== 'bigint';
      const subject = this.idsOf(entity.key, entity).id;
      return [{ scope, subject, name, amount: amount === null && !isPlan ? 'plan' : amount, binds, isNewBudget }];
    });
    await this.services.limits.store(this.manager, values);
  }

  /** Grants by hand; grants that follow groups or payments stay. */
  private async setPlans(updates: readonly Change[]): Promise<void> {
    const rows: Row[] = [];
    for (const { entity, field, before, after } of updates) {
      if (field !== 'plan') continue;
      this.touch(entity);
      const { userId } = this.idsOf(entity.key, entity);
      const [granted, required] = [(before ?? {}) as Granted, (after ?? {}) as Granted];
      const target: AuditTarget = { kind: 'user', id: userId, name: entity.name };
      for (const plan of new Set([...Object.keys(granted), ...Object.keys(required)])) {
        const until = required[plan] ?? null;
        if (plan in granted && plan in required && granted[plan] === until) continue;
        rows.push({ userId, plan, until, isHeld: plan in granted, isEnded: !(plan in required) });
        const action = !(plan in required) ? 'plan.revoke' : plan in granted ? 'plan.extend' : 'plan.grant';
        const was = plan in granted ? { plan, until: granted[plan] } : null;
        this.entries.push({ action, target, before: was, after: plan in required ? { plan, until } : null });
      }
    }
    if (rows.length === 0) return;
    const given = `json_to_recordset($1) AS given ("userId" uuid, plan text, until timestamptz, "isHeld" boolean, "isEnded" boolean)`;
    await this.manager.query(
      `UPDATE plan_grants SET ends_at = CASE WHEN "isEnded" THEN now() ELSE until END
       FROM ${given} WHERE "isHeld" AND user_id = "userId" AND plan_id = plan AND ${CURRENT}`,
      [JSON.stringify(rows), SYNCED_SOURCES],
    );
    await this.manager.query(
      `INSERT INTO plan_grants (user_id, plan_id, ends_at, source)
       SELECT "userId", plan, until, 'apply' FROM ${given} WHERE NOT "isHeld"`,
      [JSON.stringify(rows)],
    );
  }

  private async remove(removed: readonly Entity[]): Promise<void> {
    const idsOf = (...kinds: Kind[]) =>
      removed.filter(({ kind }) => kinds.includes(kind)).map(({ key, id }) => id ?? this.idsOf(key).id);
    const run = async (statement: string, ids: readonly string[]) => {
      if (ids.length > 0) await this.manager.query(statement, [ids]);
    };
    await run('UPDATE api_keys SET revoked_at = now() WHERE id = ANY ($1::uuid[])', idsOf('key'));
    await run(`DELETE FROM project_members WHERE project_id || ' ' || user_id = ANY ($1::text[])`, idsOf('member'));
    await run('UPDATE projects SET archived_at = now() WHERE id = ANY ($1::uuid[])', idsOf('project'));
    await run(
      'UPDATE users SET disabled_at = now() WHERE project_id = ANY ($1::uuid[]) AND disabled_at IS NULL',
      idsOf('project'),
    );
    await run('UPDATE users SET disabled_at = now() WHERE id = ANY ($1::uuid[])', idsOf('user', 'service account'));
    await run('UPDATE plans SET retired_at = now() WHERE id = ANY ($1::text[])', idsOf('plan'));
    for (const one of removed) {
      this.touch(one);
      const target = this.targetOf(one);
      const before = one.kind === 'member' ? { member: one.name, role: fieldOf(one, 'role') } : null;
      this.entries.push({ action: REMOVALS[one.kind], target, before });
    }
  }

  /** Ends sessions and one-time links of those who were disabled. */
  private async endAccess(updates: readonly Change[], removed: readonly Entity[]): Promise<void> {
    const disabled = updates.filter(({ field, after }) => field === 'disabled' && after === true);
    const users = [...disabled.map(({ entity }) => entity), ...removed].filter(({ kind }) => kind === 'user');
    if (users.length === 0) return;
    const ids = users.map((one) => this.idsOf(one.key, one).id);
    await this.manager.query('DELETE FROM sessions WHERE user_id = ANY ($1::uuid[])', [ids]);
    await this.manager.query('DELETE FROM one_time_links WHERE user_id = ANY ($1::uuid[])', [ids]);
  }

  private async mark(
    created: readonly Entity[],
    updates: readonly Change[],
    removed: readonly Entity[],
  ): Promise<void> {
    const isPrunable = ({ kind }: Entity) => kind === 'plan' || kind === 'user' || kind === 'service account';
    const revived = updates.filter(
      ({ field, after }) => (field === 'disabled' || field === 'retired') && after === false,
    );
    const rowOf = (one: Entity, pruned: boolean) => ({ kind: one.kind, id: this.idsOf(one.key, one).id, pruned });
    const made = created.map((one) => rowOf(one, false));
    const pruned = removed.filter(isPrunable).map((one) => rowOf(one, true));
    const store = (rows: readonly Row[], query: string) => this.manager.query(query, [JSON.stringify(rows)]);
    const given = 'json_to_recordset($1) AS given (kind text, id text, pruned boolean)';
    await store(
      made,
      `INSERT INTO applied_objects SELECT * FROM ${given} ON CONFLICT (kind, id) DO UPDATE SET pruned = false`,
    );
    await store(
      [...pruned, ...revived.map(({ entity }) => rowOf(entity, false))],
      `UPDATE applied_objects AS one SET pruned = given.pruned FROM ${given} WHERE (one.kind, one.id) = (given.kind, given.id)`,
    );
    await store(
      removed.filter((one) => !isPrunable(one)).map((one) => rowOf(one, true)),
      `DELETE FROM applied_objects AS one USING ${given} WHERE (one.kind, one.id) = (given.kind, given.id)`,
    );
  }

  private async notify(): Promise<void> {
    if (this.changed.has('all') || this.changed.size > MANY_CALLERS) return notifyAllCallersChanged(this.manager);
    for (const one of this.changed) {
      const [what, id = ''] = one.split(' ') as ['user' | 'key' | 'plan' | 'project', string];
      await notifyCallerChanged(this.manager, what, id);
    }
  }

  private touch(one: Entity): void {
    const { id, userId } = this.idsOf(one.key, one);
    if (one.kind === 'user' || one.kind === 'service account') this.changed.add(`user ${userId}`);
    else if (one.kind !== 'member') this.changed.add(`${one.kind} ${id}`);
  }

  /** Whether what the actor sets is a bound for the owner of a key. */
  private binds({ kind, owner }: Entity): boolean {
    return kind === 'key' && this.idsOf(owner?.key ?? '').userId !== this.actor.id;
  }

  private targetOf(one: Entity): AuditTarget {
    const { kind, name, owner } = one;
    if (kind === 'member') {
      return {
        kind: 'project',
        id: this.idsOf(owner?.key ?? '').id,
        name: owner?.label.slice('project '.length) ?? '',
      };
    }
    return { kind: kind === 'service account' ? 'user' : kind, id: this.idsOf(one.key, one).id, name };
  }

  private newIds({ kind, name, owner }: Entity): Ids {
    const id = kind === 'plan' ? name : randomUUID();
    if (kind === 'key') return { id, userId: this.idsOf(owner?.key ?? '').userId };
    return { id, userId: kind === 'project' ? randomUUID() : id };
  }

  /** A key that the file names by its id is known by it. */
  private idsOf(key: string, one?: Entity): Ids {
    const found = this.ids.get(key);
    if (one?.id && one.kind === 'key') return { id: one.id, userId: this.ids.get(one.owner?.key ?? '')?.userId ?? '' };
    if (!found) throw new Error(`nothing is known of ${key}`);
    return found;
  }
}

/** What a new entity gets after its row. */
function settingsOf(entity: Entity): Change[] {
  return Object.entries(entity.fields).flatMap(([field, after]) => {
    if (after === undefined || OF_ROW[entity.kind].includes(field)) return [];
    return [{ action: 'update' as const, entity, field, before: defaultOf(entity, field), after }];
  });
}
