import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { User } from '../../accounts/user.types.js';
import { UsersService } from '../../accounts/users.service.js';
import { CURRENT_PLANS } from '../../billing/plan-statements.js';
import { ClockService } from '../../database/clock.service.js';
import {
  behindPlace,
  countRows,
  type ListPlace,
  type ListTotal,
  placeOfCursor,
  type SortBy,
  searchPatterns,
} from '../../database/lists.js';
import { queryWithSpending } from '../../usage/usage-totals.service.js';
import { toOrder } from '../shared/lists.js';
import type { UserSort, UsersQuery } from './user.view.js';

export interface ListedUser {
  readonly user: User;
  readonly place: ListPlace;
}

/** Users, sorted, searched and paged by the database. */
@Injectable()
export class UserListService {
  constructor(
    private readonly users: UsersService,
    private readonly clock: ClockService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** At most `limit` of them. */
  async page({ sort: order, cursor, ...query }: UsersQuery, limit: number): Promise<ListedUser[]> {
    const { sort, descending } = toOrder<UserSort>(order);
    const by = USER_SORT_COLUMNS[sort];
    const place = cursor === undefined ? null : placeOfCursor(cursor, by);
    const now = this.clock.date();
    const { where, joins, values } = usersOf(query, now);
    const behind = behindPlace({ sort: by, descending, id: 'u.id', place, firstParameter: values.length + 1 });
    values.push(...behind.values);
    const needed = new Set([...joins, ...(by.join ? [by.join] : [])]);
    const select = (join: string) => `
      SELECT u.id, (${by.sql})::text AS value FROM users AS u ${[...needed].join(' ')} ${join}
      WHERE ${where} AND ${behind.condition} ORDER BY ${behind.order} LIMIT ${limit}`;
    const toSql = (spent: string) => select(`LEFT JOIN (${spent}) AS spent ON spent.id = u.id`);
    const places: ListPlace[] = await (sort === 'spent'
      ? queryWithSpending<ListPlace>(this.dataSource, { of: 'user', now, values, toSql })
      : this.dataSource.query(select(''), values));
    const users = await this.users.byId(places.map(({ id }) => id));
    return places.flatMap((one) => {
      const user = users.get(one.id);
      return user ? [{ user, place: one }] : [];
    });
  }

  count(query: UsersQuery): Promise<ListTotal> {
    const { where, joins, values } = usersOf(query, this.clock.date());
    return countRows(this.dataSource, `FROM users AS u ${joins.join(' ')} WHERE ${where}`, values);
  }
}

const STATUS = `CASE
  WHEN u.forgotten_at IS NOT NULL THEN 'forgotten'
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
const USER_SORT_COLUMNS: Readonly<Record<UserSort, UserSortBy>> = {
  email: { sql: 'coalesce(u.email, u.name)', type: 'text' },
  role: { sql: 'u.role', type: 'text' },
  plan: { sql: 'lower(plan.name)', type: 'text', join: PLAN },
  status: { sql: `(${STATUS})`, type: 'text' },
  source: { sql: `(${SOURCE})`, type: 'text' },
  keys: { sql: 'coalesce(usable.many, 0)', type: 'bigint', join: KEYS },
  spent: { sql: 'coalesce(spent.cost, 0)', type: 'bigint' },
  seen: { sql: 'u.last_seen_at', type: 'timestamptz', isNullable: true },
};

type UserFilter = Pick<UsersQuery, 'q' | 'email' | 'name' | 'externalId' | 'ids' | 'status' | 'role' | 'source'>;

/** The requested users `u`; the parameters start with the current time. */
function usersOf({ q, email, name, externalId, ids, status, role, source }: UserFilter, now: Date) {
  const patterns = searchPatterns(q);
  const values: unknown[] = [now];
  const conditions = ['$1::timestamptz IS NOT NULL', "u.kind <> 'project'"];
  const add = (value: unknown, toCondition: (parameter: string) => string) => {
    values.push(value);
    conditions.push(toCondition(`$${values.length}`));
  };
  if (ids) add(ids, (all) => `u.id = ANY(${all}::uuid[])`);
  if (email !== undefined) add(email, (one) => `u.email = lower(${one} COLLATE "C")`);
  if (name !== undefined) add(name, (one) => `u.name = ${one}`);
  if (externalId !== undefined) {
    add(externalId, (one) => `EXISTS (SELECT FROM scim_users WHERE user_id = u.id AND external_id = ${one})`);
  }
  if (status) add(status, (one) => `${STATUS} = ANY(${one}::text[])`);
  if (role) add(role, (one) => `u.role = ${one}`);
  if (source) add(source, (one) => `${SOURCE} = ${one}`);
  for (const pattern of patterns) {
    add(pattern, (word) => `coalesce(u.email, '') || ' ' || u.name || ' ' || coalesce(plan.name, '') ILIKE ${word}`);
  }
  return { where: conditions.join(' AND '), joins: patterns.length > 0 ? [PLAN] : [], values };
}
