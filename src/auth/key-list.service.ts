import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type DataSource, In } from 'typeorm';
import { ClockService } from '../database/clock.service.js';
import { countRows, type ListTotal } from '../database/lists/counted.js';
import { entityBatches } from '../database/lists/entity-batches.js';
import { behindPlace, type ListPlace, placeOfCursor } from '../database/lists/list-place.js';
import { queryWithSpending } from '../usage/reports/spending.js';
import { ApiKeyEntity } from './api-key.entity.js';
import type { ApiKey } from './api-key.types.js';
import { toApiKey } from './api-key.view.js';
import { KEY_SORT_COLUMNS, keysOf } from './key-list.statements.js';
import type { KeyFilter, KeyOfOwner, KeyOrder, ListedKey } from './key-list.types.js';

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

  async *batches(): AsyncGenerator<KeyOfOwner[]> {
    const rest = `, coalesce(u.email, u.name) AS owner, p.name AS project ${FROM}
      LEFT JOIN projects AS p ON p.id = u.project_id WHERE k.kind = 'user' ORDER BY k.created_at, k.id`;
    const batches = entityBatches<ApiKeyEntity, Omit<KeyOfOwner, 'key'>>(this.dataSource, ApiKeyEntity, 'k', rest);
    for await (const rows of batches) {
      yield rows.map(({ owner, project, ...entity }) => ({ key: toApiKey(entity, this.clock.now()), owner, project }));
    }
  }

  private async keysById(ids: readonly string[]): Promise<Map<string, ApiKey>> {
    const found = await this.dataSource.getRepository(ApiKeyEntity).findBy({ id: In([...ids]) });
    return new Map(found.map((entity) => [entity.id, toApiKey(entity, this.clock.now())]));
  }
}
