import type { AuditChange, AuditTarget } from '../audit/audit.types.js';
import { LIMITS, type LimitName } from '../limits/values/limit-values.js';
import type { Change, Entity, FieldValue, Kind } from './company.js';
import { fieldOf } from './company-plan.js';

/** Fields that a new entity gets with its row; the others are set afterwards, as in an update. */
export const OF_ROW: Readonly<Record<Kind, readonly string[]>> = {
  plan: ['name', 'tiers', 'models', 'rank'],
  user: ['name', 'kind', 'role'],
  project: [],
  member: ['role'],
  'service account': [],
  key: ['note', 'models', 'addresses', 'expires'],
};

export function creationEntry(one: Entity, target: AuditTarget, userId: string): AuditChange {
  const { kind, name, owner } = one;
  const of =
    kind === 'service account' ? { name, kind: 'service', project: owner?.label.slice('project '.length) } : { name };
  const ofKey = kind === 'key' ? { userId } : {};
  const fields = Object.fromEntries(OF_ROW[kind].map((field) => [field, fieldOf(one, field)]));
  const limits = Object.entries(one.fields).filter(([field]) => hasLimitsInCreation(one) && limitName(field) !== null);
  const set = Object.fromEntries(limits.map(([field, value]) => [field.replace('limits.', ''), value]));
  const after = kind === 'user' ? { email: name, ...fields } : { ...of, ...ofKey, ...fields, ...set };
  return { action: `${NOUNS[kind]}.create`, target, after };
}

/** The entry that creates a plan or a key has its limits, too. */
function hasLimitsInCreation({ kind, id }: Entity): boolean {
  return id === null && (kind === 'plan' || kind === 'key');
}

/** One entry for each entity and action. */
export function updateEntries(updates: readonly Change[], targetOf: (one: Entity) => AuditTarget): AuditChange[] {
  const audited = updates.filter(({ entity, field }) => {
    if (entity.kind === 'member' || field === 'plan') return false;
    return limitName(field) === null || !hasLimitsInCreation(entity);
  });
  const groups = Map.groupBy(audited, ({ entity, field, after }) => entity.key + actionOf(entity, field, after));
  return [...groups.values()].map((own) => {
    const [{ entity, field, after: value }] = own as [Change, ...Change[]];
    const isSwitch = field === 'disabled' || field === 'retired';
    const shown = (side: 'before' | 'after') =>
      Object.fromEntries(own.map((change) => [change.field?.replace('limits.', ''), change[side]]));
    const action = actionOf(entity, field, value);
    const [before, after] = isSwitch ? [null, null] : [shown('before'), shown('after')];
    return { action, target: targetOf(entity), before, after };
  });
}

const NOUNS: Readonly<Record<Kind, string>> = {
  plan: 'plan',
  user: 'user',
  project: 'project',
  member: 'project',
  'service account': 'user',
  key: 'key',
};

export const REMOVALS: Readonly<Record<Kind, string>> = {
  plan: 'plan.retire',
  user: 'user.disable',
  project: 'project.archive',
  member: 'project.member',
  'service account': 'user.disable',
  key: 'key.revoke',
};

function actionOf({ kind }: Entity, field: string | null, after: FieldValue): string {
  const noun = NOUNS[kind];
  if (field === 'disabled') return `${noun}.${after ? 'disable' : 'enable'}`;
  if (field === 'retired') return after ? 'plan.retire' : 'plan.reinstate';
  if (field === 'contentLog') return `${noun}.content_log`;
  if (field === 'cache' || field === 'guards') return `${noun}.${field}`;
  if (field === 'role') return 'user.role';
  return limitName(field) !== null && (noun === 'user' || noun === 'project') ? `${noun}.limits` : `${noun}.update`;
}

export function limitName(field: string | null): LimitName | null {
  const names = Object.keys(LIMITS) as LimitName[];
  return names.find((name) => field === `limits.${LIMITS[name].shown}`) ?? null;
}
