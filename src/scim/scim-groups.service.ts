import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import type { Actor } from '../audit/audit.types.js';
import { NotFoundError, UsageError } from '../common/usage.error.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { groupAccess } from './group-access.service.js';
import { type Page, type ScimFilter, ScimUsersService } from './scim-users.service.js';

export interface ScimGroup {
  readonly id: string;
  readonly displayName: string;
  readonly externalId: string | null;
  readonly members: readonly { readonly value: string; readonly display: string }[];
  readonly createdAt: Date;
}

/** Missing fields do not change. */
export interface GroupChange {
  readonly displayName?: string | undefined;
  readonly externalId?: string | null | undefined;
  readonly added?: readonly string[];
  /** `all`: those that are not added. */
  readonly removed?: readonly string[] | 'all';
}

const GROUPS = `
  SELECT g.id, display_name AS "displayName", external_id AS "externalId", created_at AS "createdAt", coalesce((
    SELECT json_agg(json_build_object('value', u.id, 'display', u.email) ORDER BY u.email)
    FROM scim_group_members AS m JOIN users AS u ON u.id = m.user_id WHERE m.group_id = g.id
  ), '[]') AS members
  FROM scim_groups AS g`;

const COLUMNS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    displayname: 'lower(display_name) = lower($1)',
    externalid: 'external_id = $1',
    id: 'g.id::text = lower($1)',
  }),
);

/** Groups of the identity provider. They give what `signIn.oidc` maps, by their name or external id, at once. */
@Injectable()
export class ScimGroupsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly users: ScimUsersService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  async page(filter: ScimFilter | null, startIndex: number, count: number): Promise<Page<ScimGroup>> {
    const condition = filter === null ? '$1::text IS NULL' : COLUMNS.get(filter.attribute);
    if (condition === undefined)
      throw new UsageError('Groups can be filtered by displayName, externalId and id.', 'filter');
    const values = [filter === null ? null : String(filter.value)];
    const [{ total }] = await this.dataSource.query(
      `SELECT count(*)::int AS total FROM scim_groups AS g WHERE ${condition}`,
      values,
    );
    const query = `${GROUPS} WHERE ${condition} ORDER BY created_at, g.id OFFSET $2 LIMIT $3`;
    return { total, items: await this.dataSource.query(query, [...values, startIndex - 1, count]) };
  }

  async get(id: string, manager: Pick<EntityManager, 'query'> = this.dataSource): Promise<ScimGroup> {
    const [group]: ScimGroup[] = await manager.query(`${GROUPS} WHERE g.id = $1`, [id]);
    if (!group) throw new NotFoundError('The group does not exist.');
    return group;
  }

  async create({ displayName = '', externalId = null, added = [] }: GroupChange, actor: Actor): Promise<ScimGroup> {
    return this.dataSource.transaction(async (manager) => {
      const [{ id }] = await manager.query(
        'INSERT INTO scim_groups (display_name, external_id) VALUES ($1, $2) RETURNING id',
        [toGroupName(displayName), externalId],
      );
      await this.change(manager, id, { added }, actor);
      return this.get(id, manager);
    });
  }

  async update(id: string, change: GroupChange, actor: Actor): Promise<ScimGroup> {
    return this.dataSource.transaction(async (manager) => {
      await this.change(manager, id, change, actor);
      return this.get(id, manager);
    });
  }

  async delete(id: string, actor: Actor): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await this.change(manager, id, { removed: 'all' }, actor);
      await manager.query('DELETE FROM scim_groups WHERE id = $1', [id]);
    });
  }

  /** Changes of one group happen one after another. */
  private async change(
    manager: EntityManager,
    id: string,
    { displayName, externalId, added = [], removed = [] }: GroupChange,
    actor: Actor,
  ): Promise<void> {
    const [group] = await manager.query('SELECT 1 FROM scim_groups WHERE id = $1 FOR UPDATE', [id]);
    if (!group) throw new NotFoundError('The group does not exist.');
    const present = (await this.get(id, manager)).members.map(({ value }) => value);
    const known = await this.users.existing(manager, added);
    const unknown = added.find((one) => !known.has(one));
    if (unknown !== undefined) throw new UsageError('A member of the group is not a user here.', 'members');
    const gone = removed === 'all' ? present.filter((one) => !known.has(one)) : removed;
    const isRenamed = displayName !== undefined || externalId !== undefined;
    if (displayName !== undefined) {
      await manager.query('UPDATE scim_groups SET display_name = $2 WHERE id = $1', [id, toGroupName(displayName)]);
    }
    if (externalId !== undefined)
      await manager.query('UPDATE scim_groups SET external_id = $2 WHERE id = $1', [id, externalId]);
    await manager.query('DELETE FROM scim_group_members WHERE group_id = $1 AND user_id = ANY ($2::uuid[])', [
      id,
      gone,
    ]);
    await manager.query('INSERT INTO scim_group_members SELECT $1, unnest($2::uuid[]) ON CONFLICT DO NOTHING', [
      id,
      [...known],
    ]);
    const affected = new Set([...gone, ...known, ...(isRenamed ? present : [])]);
    // A fixed order prevents deadlocks.
    for (const userId of [...affected].toSorted()) await this.sync(manager, userId, actor);
  }

  /** Without `signIn.oidc`, groups give nothing. */
  private async sync(manager: EntityManager, userId: string, actor: Actor): Promise<void> {
    const { oidc } = this.settings.signIn;
    if (!oidc) return;
    const groups: { name: string; externalId: string | null }[] = await manager.query(
      `SELECT display_name AS name, external_id AS "externalId"
       FROM scim_groups AS g JOIN scim_group_members AS m ON m.group_id = g.id WHERE user_id = $1`,
      [userId],
    );
    const names = groups.flatMap(({ name, externalId }) => (externalId === null ? [name] : [name, externalId]));
    await this.users.grant(manager, userId, groupAccess(names, oidc), oidc.planLifetime, actor);
  }
}

const MAX_NAME = 256;

function toGroupName(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= MAX_NAME && !name.includes('\0')) return name;
  throw new UsageError(`A group's displayName must have 1 to ${MAX_NAME} characters.`, 'displayName');
}
