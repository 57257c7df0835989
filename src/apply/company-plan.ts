import { MAX_SERVICE_ACCOUNTS } from '../accounts/service-accounts.service.js';
import { keyRules } from '../auth/api-key.rules.js';
import { planRules } from '../billing/plan-definitions.service.js';
import { UsageError } from '../common/usage.error.js';
import { type Change, type Entity, type Fields, type FieldValue, type Owner } from './company.js';
import type { CompanyFile } from './company-file.js';
import type { CompanyState, Present } from './company-state.js';

export interface PlanContext {
  /** Of the catalog, with aliases. */
  readonly models: ReadonlySet<string>;
  readonly tiers: ReadonlySet<string>;
  /** Of gateway.yaml. */
  readonly guards: ReadonlySet<string>;
  /** Of a key, in ms; null: any. */
  readonly maxLifetime: number | null;
  readonly keysPerUser: number | null;
  /** Whether contents can be encrypted. */
  readonly logsContent: boolean;
  /** The user who applies; null for the command line. */
  readonly actorId: string | null;
  readonly now: Date;
  readonly prune: boolean;
}

/** What turns the present state into that of the file, in the order in which it is done. Mistakes go to the file's. */
export function planChanges(file: CompanyFile, state: CompanyState, context: PlanContext): Change[] {
  return new Planner(file, state, context).changes();
}

class Planner {
  private readonly present: ReadonlyMap<string, readonly Present[]>;
  private readonly stated: ReadonlyMap<string, Entity>;
  /** File → present. */
  private readonly matches = new Map<Entity, Present | null>();

  constructor(
    private readonly file: CompanyFile,
    private readonly state: CompanyState,
    private readonly context: PlanContext,
  ) {
    this.present = Map.groupBy(state.entities, ({ key }) => key);
    this.stated = new Map(file.entities.map((one) => [one.key, one]));
    for (const one of file.entities) this.matches.set(one, this.match(one));
  }

  changes(): Change[] {
    const changes = this.file.entities.flatMap((one) => {
      const present = this.matches.get(one) ?? null;
      this.checkReferences(one, present);
      const found = present ? this.updates(one, present) : [this.creation(one)];
      for (const change of found) this.checkValues(one, present, change);
      return found;
    });
    const removals = this.context.prune ? this.removals() : [];
    this.checkRanks();
    this.checkNumbers(changes);
    this.checkAdmins([...changes, ...removals]);
    return [...changes, ...removals];
  }

  private match(one: Entity): Present | null {
    if (one.kind === 'key' && one.id !== null) {
      const found = this.state.entities.find(({ kind, id, owner }) => {
        return kind === 'key' && id === one.id && owner?.key === one.owner?.key;
      });
      if (!found) this.file.report([...one.path, 'id'], 'is not the id of a key of this owner that is not revoked');
      return found ?? null;
    }
    const [found, another] = this.present.get(one.key) ?? [];
    if (another) this.file.report(one.path, 'is the name of several keys of this owner: name one of them with `id`');
    return found ?? null;
  }

  private creation(one: Entity): Change {
    const fields: Record<string, FieldValue | undefined> = {};
    for (const [name, value] of Object.entries(one.fields)) {
      if (!isSame(value, defaultOf(one, name))) fields[name] = value;
    }
    if (one.kind === 'plan') fields.rank ??= this.nextRank();
    return { action: 'create', entity: { ...one, fields }, field: null, before: null, after: null };
  }

  private updates(one: Entity, present: Present): Change[] {
    const revived: Fields = one.kind === 'plan' ? { retired: false } : { disabled: false };
    const fields = { ...(present.applied === 'pruned' && revived), ...stated(one.fields) };
    const entity = { ...one, id: present.id };
    const renamed = one.kind === 'key' && one.name !== present.name ? [['name', one.name] as const] : [];
    return [...renamed, ...Object.entries(fields)].flatMap(([field, after]) => {
      const before = field === 'name' && one.kind === 'key' ? present.name : fieldOf(present, field);
      return after === undefined || isSame(before, after)
        ? []
        : [{ action: 'update' as const, entity, field, before, after }];
    });
  }

  /** Only what an earlier apply made, and without what goes with its owner. */
  private removals(): Change[] {
    const stored = new Set([...this.matches.values()].filter((one) => one !== null));
    const referenced = this.references();
    const removed = this.state.entities.filter((one) => {
      return one.applied === 'made' && !stored.has(one) && !referenced.has(one.key) && isThere(one);
    });
    const projects = new Set(removed.filter(({ kind }) => kind === 'project').map(({ key }) => key));
    const isGone = (owner: Owner | null): boolean => {
      if (owner === null) return false;
      const above = this.present.get(owner.key)?.[0]?.owner ?? null;
      return projects.has(owner.key) || isGone(above);
    };
    return removed
      .filter(({ owner }) => !isGone(owner))
      .map((entity) => ({ action: 'remove', entity, field: null, before: null, after: null }) as const)
      .toReversed();
  }

  /** What the file names as part of something else. */
  private references(): Set<string> {
    const keys = this.file.entities.flatMap(({ kind, name, owner, fields }) => [
      ...Object.keys(fields.plan ?? {}).map((plan) => keyOf('plan', plan)),
      ...(kind === 'member' ? [keyOf('user', name)] : []),
      ...(owner ? [owner.key] : []),
    ]);
    return new Set(keys);
  }

  private checkReferences(one: Entity, present: Present | null): void {
    const { path, owner, kind, name, fields } = one;
    const user = this.find(keyOf('user', name));
    if (kind === 'member' && !user) this.file.report(path, 'is not a user: add the person to `users`');
    if (kind === 'member' && fieldOf(user, 'kind') === 'service') this.file.report(path, 'is not a person');
    if (kind === 'key' && owner?.kind === 'service account' && !this.find(owner.key)) {
      this.file.report([...path, 'serviceAccount'], 'is not a service account of the project: add it there');
    }
    for (const [plan, until] of Object.entries((fields.plan ?? {}) as Record<string, string | null>)) {
      const at = [...path, 'plan'];
      const granted = (fieldOf(present, 'plan') ?? {}) as Record<string, string | null>;
      const found = this.find(keyOf('plan', plan));
      if (!found) this.file.report(at, `names the plan '${plan}', which does not exist: add it to \`plans\``);
      const isRetired = fieldOf(this.stated.get(keyOf('plan', plan)), 'retired') ?? fieldOf(found, 'retired');
      if (isRetired === true && !(plan in granted)) this.file.report(at, `names the plan '${plan}', which is retired`);
      if (until !== null && until !== granted[plan] && new Date(until) <= this.context.now) {
        this.file.report([...at, plan], 'must be in the future');
      }
    }
    if (present?.isForgotten) this.file.report(path, 'is forgotten and can no longer be changed');
  }

  private checkValues(one: Entity, present: Present | null, { action, field, entity }: Change): void {
    const { kind, path } = one;
    const isSet = (name: string) => action === 'create' || field === name;
    const value = (name: string) =>
      entity.fields[name] === undefined ? fieldOf(present ?? one, name) : entity.fields[name];
    const isService = value('kind') === 'service';
    if (kind === 'user' && field === 'kind') this.file.report([...path, 'kind'], 'cannot change: leave it out');
    if (kind === 'user' && isSet('role') && isService && value('role') === 'admin') {
      this.file.report([...path, 'role'], 'cannot be admin for a service account, which cannot sign in');
    }
    const { models, tiers, guards } = this.context;
    for (const [name, known] of Object.entries({ models, tiers, guards })) {
      const had = new Set((fieldOf(present, name) ?? []) as string[]);
      const list = isSet(name) ? ((fieldOf(entity, name) ?? []) as string[]) : [];
      for (const [index, id] of list.entries()) {
        if (known.has(id) || had.has(id)) continue;
        const source = name === 'guards' ? 'gateway.yaml' : 'the catalog';
        this.file.report([...path, name, index], `must name a ${name.slice(0, -1)} of ${source}`);
      }
    }
    if (kind === 'plan' && (action === 'create' || field === 'tiers' || field === 'models')) {
      this.check(path, () =>
        planRules.contents({ tiers: (value('tiers') ?? []) as string[], models: (value('models') ?? []) as string[] }),
      );
    }
    if (kind === 'plan' && field === 'retired' && fieldOf(present, 'rank') === 0) {
      this.file.report([...path, 'retired'], 'cannot be set for the default plan');
    }
    if (kind === 'key' && isSet('expires') && one.fields.expires !== undefined) {
      const { now, maxLifetime } = this.context;
      const input = one.fields.expires === null ? null : new Date(String(one.fields.expires));
      this.check([...path, 'expires'], () => keyRules.expiry(input, present?.since ?? now, maxLifetime, now));
    }
    if (isSet('contentLog') && value('contentLog') === true && kind !== 'user') this.checkContentLog(one);
    if (isSet('cache') && !['none', 'default'].includes(String(value('cache'))) && !this.context.logsContent)
      this.file.report([...path, 'cache'], 'needs an encryption key: set CONTENT_LOG_KEY');
  }

  private checkContentLog({ kind, path, owner }: Entity): void {
    const at = [...path, 'contentLog'];
    if (kind === 'key' && owner?.kind === 'user')
      this.file.report(at, 'can only be switched on by the owner of the key');
    if (!this.context.logsContent) this.file.report(at, 'needs an encryption key: set CONTENT_LOG_KEY');
  }

  private checkRanks(): void {
    const ranks = new Map<string, number>();
    for (const one of this.state.entities) if (one.kind === 'plan') ranks.set(one.name, Number(one.fields.rank));
    const changed = this.file.entities.filter(({ kind, name, fields: { rank } }) => {
      return kind === 'plan' && rank !== undefined && rank !== ranks.get(name);
    });
    for (const { name, fields } of changed) ranks.set(name, Number(fields.rank));
    const plans = [...ranks].map(([id, rank]) => ({ id, rank }));
    for (const { name: id, path, fields } of changed) {
      this.check([...path, 'rank'], () => planRules.rank({ id, rank: Number(fields.rank) }, plans));
    }
  }

  /** Quotas of keys and service accounts. */
  private checkNumbers(changes: readonly Change[]): void {
    const created = changes.filter(({ action }) => action === 'create').map(({ entity }) => entity);
    for (const [owner, keys] of Map.groupBy(
      created.filter(({ kind }) => kind === 'key'),
      (key) => key.owner?.key ?? '',
    )) {
      const { keysPerUser: most } = this.context;
      const live = this.state.liveKeys.get(this.present.get(owner)?.[0]?.userId ?? '') ?? 0;
      if (most === null || live + keys.length <= most) continue;
      this.file.report(
        keys[most - live]?.path ?? [],
        `is one key too many: an owner can have ${most} (\`keys.perUser\`)`,
      );
    }
    const accounts = created.filter(({ kind }) => kind === 'service account');
    for (const [project, own] of Map.groupBy(accounts, ({ owner }) => owner?.key ?? '')) {
      const count = this.state.entities.filter(
        ({ kind, owner }) => kind === 'service account' && owner?.key === project,
      );
      if (count.length + own.length <= MAX_SERVICE_ACCOUNTS) continue;
      this.file.report(own.at(-1)?.path ?? [], `is one too many: a project can have ${MAX_SERVICE_ACCOUNTS}`);
    }
  }

  /** Nobody can lock out all administrators, or lose the own role. */
  private checkAdmins(changes: readonly Change[]): void {
    let { admins } = this.state;
    const people = Map.groupBy(
      changes.filter(({ entity }) => entity.kind === 'user'),
      ({ entity }) => entity.key,
    );
    for (const [key, own] of people) {
      const present = this.present.get(key)?.[0];
      const was = present ? isAdmin(present.fields) : false;
      const after: Record<string, FieldValue | undefined> = { ...present?.fields };
      for (const { action, entity, field, after: value } of own) {
        if (action === 'remove') after.disabled = true;
        else if (field === null) Object.assign(after, entity.fields);
        else after[field] = value;
      }
      const is = isAdmin(after);
      admins += Number(is) - Number(was);
      if (!was || is) continue;
      const [{ entity }] = own as [Change, ...Change[]];
      if (present?.id === this.context.actorId) {
        this.file.report(entity.path, 'is you: another administrator must disable you or remove your role');
      } else if (admins < 1)
        this.file.report(entity.path, `${entity.name} is the last administrator: make another one first`);
    }
  }

  private find(key: string): Entity | undefined {
    return this.stated.get(key) ?? this.present.get(key)?.[0];
  }

  private nextRank(): number {
    const all = [...this.state.entities, ...this.file.entities].filter(({ kind }) => kind === 'plan');
    this.lastRank = Math.max(this.lastRank, ...all.map(({ fields }) => Number(fields.rank ?? 0))) + 10;
    return this.lastRank;
  }

  private lastRank = 0;

  private check(path: readonly PropertyKey[], rule: () => unknown): void {
    try {
      rule();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      this.file.report(path, `is not valid: ${error.message}`);
    }
  }
}

function isAdmin({ role, kind = 'person', disabled }: Fields): boolean {
  return role === 'admin' && kind === 'person' && disabled !== true;
}

/** What is disabled, retired or forgotten is already removed. */
function isThere({ fields, isForgotten, kind }: Present): boolean {
  return !isForgotten && fields.retired !== true && (fields.disabled !== true || kind === 'key');
}

function keyOf(kind: 'user' | 'plan', name: string): string {
  return JSON.stringify([kind, null, name]);
}

function stated(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** A field that is not set has its default. */
export function fieldOf(one: Entity | null | undefined, field: string): FieldValue {
  const value = one?.fields[field];
  if (value !== undefined) return value;
  return one ? defaultOf(one, field) : null;
}

export function defaultOf({ kind, name }: Pick<Entity, 'kind' | 'name'>, field: string): FieldValue {
  if (field.startsWith('limits.')) return kind === 'user' || kind === 'service account' ? 'plan' : null;
  if (kind === 'plan' && field === 'name') return name;
  return kind === 'plan' && field === 'models' ? [] : (DEFAULTS[field] ?? null);
}

const DEFAULTS: Fields = {
  name: '',
  kind: 'person',
  role: 'member',
  disabled: false,
  retired: false,
  contentLog: false,
  cache: 'default',
  guards: [],
  plan: {},
  note: '',
  tiers: [],
};

function isSame(one: FieldValue | undefined, other: FieldValue | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
