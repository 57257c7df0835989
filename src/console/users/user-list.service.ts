import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { User } from '../../accounts/user.types.js';
import { UsersService } from '../../accounts/users.service.js';
import { ClockService } from '../../database/clock.service.js';
import { countRows, type ListTotal } from '../../database/lists/counted.js';
import { behindPlace, type ListPlace, placeOfCursor } from '../../database/lists/list-place.js';
import { queryWithSpending } from '../../usage/reports/spending.js';
import { toOrder } from '../lists/list-query.js';
import type { UserSort, UsersQuery } from './dto/users-query.dto.js';
import { USER_SORT_COLUMNS, usersOf } from './user-list.statements.js';

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
