import { holdsPattern, searchPatterns } from '../database/lists/search-words.js';
import type { KeyFilter, KeySorts, KeyStatusFilter } from './key-list.types.js';

/** $1 is the current time. Keys that need attention come first. */
const STATE_RANK = `CASE
  WHEN k.revoked_at IS NOT NULL THEN 5
  WHEN k.disabled_at IS NOT NULL THEN 3
  WHEN k.expires_at <= $1 THEN 1
  WHEN u.disabled_at IS NOT NULL THEN 2
  WHEN k.expires_at < $1::timestamptz + interval '7 days' THEN 0
  ELSE 4 END`;

const RANKS: Readonly<Record<KeyStatusFilter, readonly number[] | null>> = {
  all: null,
  current: null,
  active: [0, 4],
  expiring: [0],
  expired: [1],
  disabled: [2, 3],
  revoked: [5],
};

/** `spent` needs the relation `spent`. */
export const KEY_SORT_COLUMNS: KeySorts = {
  name: { sql: 'lower(k.name)', type: 'text' },
  key: { sql: 'k.display', type: 'text' },
  owner: { sql: 'coalesce(u.email, u.name)', type: 'text' },
  status: { sql: `(${STATE_RANK})::bigint`, type: 'bigint' },
  models: { sql: 'coalesce(cardinality(k.models), 1000000)::bigint', type: 'bigint' },
  spent: { sql: 'coalesce(spent.cost, 0)', type: 'bigint' },
  used: { sql: 'k.last_used_at', type: 'timestamptz', isNullable: true },
  created: { sql: 'k.created_at', type: 'timestamptz' },
  expires: { sql: 'k.expires_at', type: 'timestamptz', isNullable: true },
};

/** The keys `k` of a filter with their owners `u`; $1 is the current time. */
export function keysOf(
  { ownerId, projectId, ids, status, text }: KeyFilter,
  now: Date,
): { where: string; values: unknown[] } {
  const values: unknown[] = [now];
  const conditions = ["k.kind = 'user'", '$1::timestamptz IS NOT NULL'];
  const add = (value: unknown, toCondition: (parameter: string) => string) => {
    values.push(value);
    conditions.push(toCondition(`$${values.length}`));
  };
  if (ownerId !== null) add(ownerId, (id) => `k.user_id = ${id}`);
  if (projectId !== null) add(projectId, (id) => `u.project_id = ${id}`);
  if (ids !== null) add(ids, (all) => `k.id = ANY(${all}::uuid[])`);
  if (status === 'current') conditions.push('k.revoked_at IS NULL');
  const ranks = RANKS[status];
  if (ranks !== null) add(ranks, (all) => `${STATE_RANK} = ANY(${all}::int[])`);
  for (const pattern of searchPatterns(text)) add(pattern, (parameter) => hasWord(pattern, parameter));
  return { where: conditions.join(' AND '), values };
}

/** Searches the owners once for the whole list, as they are few. */
function hasWord(pattern: string, parameter: string): string {
  return `(${holdsPattern("k.name || ' ' || k.display || ' ' || k.note", pattern, parameter)}
    OR k.user_id IN (SELECT id FROM users WHERE ${holdsPattern('coalesce(email, name)', pattern, parameter)}))`;
}
