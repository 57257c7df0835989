import { CURRENT_PLANS } from '../../billing/plan-statements.js';
import type { SortBy } from '../../database/lists/list-place.js';
import { searchPatterns } from '../../database/lists/search-words.js';
import type { UserSort, UsersQuery } from './dto/users-query.dto.js';

const STATUS = `CASE
  WHEN u.disabled_at IS NOT NULL THEN 'disabled'
  WHEN u.kind = 'person' AND u.oidc_subject IS NULL AND u.password_hash IS NULL
    AND EXISTS (SELECT FROM one_time_links WHERE user_id = u.id AND used_at IS NULL) THEN 'invited'
  ELSE 'active' END`;

const SOURCE = `CASE WHEN u.kind = 'service' THEN 'service' WHEN u.oidc_subject IS NULL THEN 'local' ELSE 'oidc' END`;

/** $1 is the current time. A join is added only for sorting or searching by its columns. */
const PLAN = `LEFT JOIN (${CURRENT_PLANS}) AS plan ON plan.user_id = u.id`;
const KEYS = `LEFT JOIN (
    SELECT user_id, count(*) AS many FROM api_keys
    WHERE kind = 'user' AND revoked_at IS NULL AND disabled_at IS NULL AND (expires_at IS NULL OR expires_at > $1)
    GROUP BY user_id
  ) AS usable ON usable.user_id = u.id`;

interface UserSortBy extends SortBy {
  readonly join?: string;
}

/** `spent` needs the relation `spent`. */
export const USER_SORT_COLUMNS: Readonly<Record<UserSort, UserSortBy>> = {
  email: { sql: 'coalesce(u.email, u.name)', type: 'text' },
  role: { sql: 'u.role', type: 'text' },
  plan: { sql: 'lower(plan.name)', type: 'text', join: PLAN },
  status: { sql: `(${STATUS})`, type: 'text' },
  source: { sql: `(${SOURCE})`, type: 'text' },
  keys: { sql: 'coalesce(usable.many, 0)', type: 'bigint', join: KEYS },
  spent: { sql: 'coalesce(spent.cost, 0)', type: 'bigint' },
  seen: { sql: 'u.last_seen_at', type: 'timestamptz', isNullable: true },
};

type UserFilter = Pick<UsersQuery, 'q' | 'ids' | 'status' | 'role' | 'source'>;

/** The requested users `u`; the parameters start with the current time. */
export function usersOf({ q, ids, status, role, source }: UserFilter, now: Date) {
  const patterns = searchPatterns(q);
  const values: unknown[] = [now];
  const conditions = ['$1::timestamptz IS NOT NULL', "u.kind <> 'project'"];
  const add = (value: unknown, toCondition: (parameter: string) => string) => {
    values.push(value);
    conditions.push(toCondition(`$${values.length}`));
  };
  if (ids) add(ids, (all) => `u.id = ANY(${all}::uuid[])`);
  if (status) add(status, (one) => `${STATUS} = ANY(${one}::text[])`);
  if (role) add(role, (one) => `u.role = ${one}`);
  if (source) add(source, (one) => `${SOURCE} = ${one}`);
  for (const pattern of patterns) {
    add(pattern, (word) => `coalesce(u.email, '') || ' ' || u.name || ' ' || coalesce(plan.name, '') ILIKE ${word}`);
  }
  return { where: conditions.join(' AND '), joins: patterns.length > 0 ? [PLAN] : [], values };
}
