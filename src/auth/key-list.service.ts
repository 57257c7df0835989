import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type DataSource, In } from 'typeorm';
import { ClockService } from '../database/clock.service.js';
import {
  behindPlace,
  countRows,
  entityBatches,
  holdsPattern,
  type ListPlace,
  type ListTotal,
  placeOfCursor,
  type SortBy,
  searchPatterns,
} from '../database/lists.js';
import { queryWithSpending } from '../usage/usage-totals.service.js';
import { ApiKeyEntity } from './api-key.entity.js';
import type { ApiKey } from './api-key.types.js';

const ALL_KEYS: KeyFilter = {
  ownerId: null,
  projectId: null,
  memberId: null,
  ids: null,
  name: null,
  status: 'all',
  text: '',
};
const FROM = 'FROM api_keys AS k JOIN users AS u ON u.id = k.user_id';

@Injectable()
export class KeyListService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly clock: ClockService,
  ) {}

  /** At most `limit` keys; `cursor`: the position of the previous page's last key, or null. */
  async page(
    filter: KeyFilter,
    { sort, descending }: KeyOrder,
    cursor: string | null,
    limit: number,
  ): Promise<ListedKey[]> {
    const by = KEY_SORT_COLUMNS[sort];
    const place = cursor === null ? null : placeOfCursor(cursor, by);
    const now = this.clock.date();
    const { where, values } = keysOf(filter, now);
    const behind = behindPlace({ sort: by, descending, id: 'k.id', place, firstParameter: values.length + 1 });
    values.push(...behind.values);
    const select = (join: string) => `
      SELECT k.id, (${by.sql})::text AS value ${FROM} ${join}
      WHERE ${where} AND ${behind.condition} ORDER BY ${behind.order} LIMIT ${limit}`;
    const toSql = (spent: string) => select(`LEFT JOIN (${spent}) AS spent ON spent.id = k.id`);
    const places: ListPlace[] = await (sort === 'spent'
      ? queryWithSpending<ListPlace>(this.dataSource, { of: 'key', now, values, toSql })
      : this.dataSource.query(select(''), values));
    const keys = await this.keysById(places.map(({ id }) => id));
    return places.flatMap((one) => {
      const key = keys.get(one.id);
      return key ? [{ key, place: one }] : [];
    });
  }

  count(filter: KeyFilter): Promise<ListTotal> {
    const { where, values } = keysOf(filter, this.clock.date());
    return countRows(this.dataSource, `${FROM} WHERE ${where}`, values);
  }

  /** All matching keys, oldest first. */
  async *batches(filter: Partial<KeyFilter> = {}): AsyncGenerator<KeyOfOwner[]> {
    const { where, values } = keysOf({ ...ALL_KEYS, ...filter }, this.clock.date());
    const rest = `, coalesce(u.email, u.name) AS owner, p.name AS project ${FROM}
      LEFT JOIN projects AS p ON p.id = u.project_id WHERE ${where} ORDER BY k.created_at, k.id`;
    const batches = entityBatches<ApiKeyEntity, Omit<KeyOfOwner, 'key'>>(
      this.dataSource,
      ApiKeyEntity,
      'k',
      rest,
      values,
    );
    for await (const rows of batches) {
      yield rows.map(({ owner, project, ...entity }) => ({ key: toApiKey(entity, this.clock.now()), owner, project }));
    }
  }

  private async keysById(ids: readonly string[]): Promise<Map<string, ApiKey>> {
    const found = await this.dataSource.getRepository(ApiKeyEntity).findBy({ id: In([...ids]) });
    return new Map(found.map((entity) => [entity.id, toApiKey(entity, this.clock.now())]));
  }
}

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
const KEY_SORT_COLUMNS: KeySorts = {
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
function keysOf(
  { ownerId, projectId, memberId, ids, name, status, text }: KeyFilter,
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
  if (memberId !== null) {
    add(memberId, (id) => `u.project_id IN (SELECT project_id FROM project_members WHERE user_id = ${id})`);
  }
  if (ids !== null) add(ids, (all) => `k.id = ANY(${all}::uuid[])`);
  if (name !== null) add(name, (one) => `k.name = ${one}`);
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

export const KEY_STATUS_FILTERS = ['all', 'current', 'active', 'expiring', 'expired', 'disabled', 'revoked'] as const;
export type KeyStatusFilter = (typeof KEY_STATUS_FILTERS)[number];

export const KEY_SORTS = ['name', 'key', 'owner', 'status', 'models', 'spent', 'used', 'created', 'expires'] as const;
export type KeySort = (typeof KEY_SORTS)[number];

/** Null fields do not filter. */
export interface KeyFilter {
  readonly ownerId: string | null;
  /** Keys of the project and its service accounts. */
  readonly projectId: string | null;
  /** Keys of the projects that this person is a member of, and of their service accounts. */
  readonly memberId: string | null;
  readonly ids: readonly string[] | null;
  readonly name: string | null;
  /** `current`: all but revoked; `active` includes keys that expire soon, `disabled` those of disabled owners. */
  readonly status: KeyStatusFilter;
  readonly text: string;
}

export interface KeyOrder {
  readonly sort: KeySort;
  readonly descending: boolean;
}

export interface ListedKey {
  readonly key: ApiKey;
  readonly place: ListPlace;
}

export interface KeyOfOwner {
  readonly key: ApiKey;
  /** The owner's e-mail address, or name if there is none. */
  readonly owner: string;
  readonly project: string | null;
}

type KeySorts = Readonly<Record<KeySort, SortBy>>;

export function toApiKey(entity: ApiKeyEntity, now: number): ApiKey {
  const { id, userId, name, note, display, issuer, subject, models, addresses, logsContent } = entity;
  const { createdAt, expiresAt, disabledAt, revokedAt, rotatedAt } = entity;
  return {
    ...{
      id,
      userId,
      name,
      note,
      display,
      issuer,
      subject,
      models,
      addresses,
      logsContent,
      status: statusOf(entity, now),
    },
    ...{ createdAt, expiresAt, disabledAt, revokedAt, rotatedAt },
    disabledBy: disabledAt && (entity.disabledBy === userId ? 'owner' : 'administrator'),
    bounds: toKeyBounds(entity),
    lastUsed: toLastUse(entity),
    secretUsedAt: toSecretUse(entity),
    previous: toPrevious(entity, now),
  };
}

export function toAudited(key: ApiKey) {
  const { userId, name, note, display, models, addresses, expiresAt } = key;
  return { userId, name, note, display, models, addresses, expiresAt };
}

function statusOf({ revokedAt, disabledAt, expiresAt }: ApiKeyEntity, now: number): ApiKey['status'] {
  if (revokedAt) return 'revoked';
  if (disabledAt) return 'disabled';
  return expiresAt && expiresAt.getTime() <= now ? 'expired' : 'active';
}

function toKeyBounds({ boundModels, boundAddresses, boundExpiresAt }: ApiKeyEntity): ApiKey['bounds'] {
  if (!boundModels && !boundAddresses && !boundExpiresAt) return null;
  return { models: boundModels, addresses: boundAddresses, expiresAt: boundExpiresAt };
}

function toLastUse({ lastUsedAt, lastUsedAddress, lastUsedAgent, lastUsedModel }: ApiKeyEntity): ApiKey['lastUsed'] {
  if (!lastUsedAt) return null;
  return { at: lastUsedAt, address: lastUsedAddress, userAgent: lastUsedAgent, model: lastUsedModel };
}

/** A key that was never rotated has only one secret. */
function toSecretUse({ secretUsedAt, lastUsedAt, previousDisplay }: ApiKeyEntity): Date | null {
  return secretUsedAt ?? (previousDisplay === null ? lastUsedAt : null);
}

function toPrevious(entity: ApiKeyEntity, now: number): ApiKey['previous'] {
  const { revokedAt, previousDisplay, previousExpiresAt } = entity;
  if (revokedAt || !previousDisplay || !previousExpiresAt || previousExpiresAt.getTime() <= now) return null;
  const { previousUsedAt: at, previousUsedAddress: address, previousUsedAgent: userAgent } = entity;
  return { display: previousDisplay, expiresAt: previousExpiresAt, lastUsed: at && { at, address, userAgent } };
}
