import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { toAddress, toName } from '../accounts/passwords.js';
import type { Member } from '../accounts/project-members.service.js';
import type { User } from '../accounts/user.types.js';
import { changeUser, insertUser } from '../accounts/user-changes.js';
import { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../audit/audit.types.js';
import { NotFoundError, UsageError } from '../common/usage.error.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { type GroupAccess, GroupAccessService, groupAccess } from './group-access.service.js';

/** A person as the identity provider sees one. */
export interface ScimUser {
  readonly id: string;
  readonly userName: string;
  readonly externalId: string | null;
  readonly email: string;
  readonly displayName: string;
  readonly givenName: string | null;
  readonly familyName: string | null;
  readonly active: boolean;
  readonly createdAt: Date;
  readonly groups: readonly { readonly value: string; readonly display: string }[];
}

/** Missing fields do not change. */
export type UserInput = {
  readonly [Field in Exclude<keyof ScimUser, 'id' | 'createdAt' | 'groups'>]?: ScimUser[Field];
};

/** `attribute` in lower case. */
export interface ScimFilter {
  readonly attribute: string;
  readonly value: string | boolean;
}

export interface Page<Item> {
  readonly total: number;
  readonly items: readonly Item[];
}

/** Another user has the user name or the e-mail address. */
export class UserTakenError extends UsageError {}

const FROM = `
  FROM users AS u LEFT JOIN scim_users AS s ON s.user_id = u.id
  WHERE u.kind = 'person' AND u.forgotten_at IS NULL AND s.deleted_at IS NULL`;
const USERS = `
  SELECT u.id, coalesce(s.user_name, u.email) AS "userName", s.external_id AS "externalId", u.email, u.name AS "displayName",
    s.given_name AS "givenName", s.family_name AS "familyName", u.disabled_at IS NULL AS active, u.created_at AS "createdAt",
    coalesce((
      SELECT json_agg(json_build_object('value', g.id, 'display', g.display_name) ORDER BY g.display_name)
      FROM scim_groups AS g JOIN scim_group_members AS m ON m.group_id = g.id WHERE m.user_id = u.id
    ), '[]') AS groups${FROM}`;

/** User names and addresses are the same regardless of case, external ids are not (RFC 7643, section 3.1). */
const COLUMNS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    username: 'lower(coalesce(s.user_name, u.email)) = lower($1)',
    externalid: 's.external_id = $1',
    displayname: 'lower(u.name) = lower($1)',
    'emails.value': 'u.email = lower($1)',
    active: '(u.disabled_at IS NULL)::text = $1',
    id: 'u.id::text = lower($1)',
  }),
);

/** People of the identity provider. Whoever leaves is disabled here: sessions end, and keys are refused within a second. */
@Injectable()
export class ScimUsersService {
  private readonly logger = new Logger('SCIM');

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly groups: GroupAccessService,
    private readonly audit: AuditService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  async page(filter: ScimFilter | null, startIndex: number, count: number): Promise<Page<ScimUser>> {
    const condition = filter === null ? '$1::text IS NULL' : COLUMNS.get(filter.attribute);
    if (condition === undefined) {
      throw new UsageError(
        'Users can be filtered by userName, externalId, displayName, emails.value, active and id.',
        'filter',
      );
    }
    const values = [filter === null ? null : String(filter.value)];
    const [{ total }] = await this.dataSource.query(`SELECT count(*)::int AS total ${FROM} AND ${condition}`, values);
    const query = `${USERS} AND ${condition} ORDER BY u.created_at, u.id OFFSET $2 LIMIT $3`;
    return { total, items: await this.dataSource.query(query, [...values, startIndex - 1, count]) };
  }

  async get(id: string, manager: Pick<EntityManager, 'query'> = this.dataSource): Promise<ScimUser> {
    const [user]: ScimUser[] = await manager.query(`${USERS} AND u.id = $1`, [id]);
    if (!user) throw new NotFoundError('The user does not exist.');
    return user;
  }

  /** Someone whom the provider deleted before comes back. */
  async create(input: UserInput, actor: Actor): Promise<ScimUser> {
    const userName = toUserName(input.userName ?? '');
    const email = toAddress(input.email ?? userName);
    return this.dataSource.transaction(async (manager) => {
      const [known]: { id: string; isDeleted: boolean }[] = await manager.query(
        `SELECT u.id, s.deleted_at IS NOT NULL AS "isDeleted" FROM users AS u LEFT JOIN scim_users AS s ON s.user_id = u.id
         WHERE u.email = $1 OR lower(s.user_name) = lower($2) ORDER BY s.deleted_at IS NULL DESC LIMIT 1`,
        [email, userName],
      );
      if (known && !known.isDeleted)
        throw new UserTakenError('There is already a user with this userName or e-mail address.');
      const name = toName(input.displayName ?? '');
      const values = { email, name, role: 'member', kind: 'person', passwordHash: null } as const;
      const id = known?.id ?? (await insertUser(manager, values)).id;
      if (!known) {
        const target = { kind: 'user', id, name: email } as const;
        await this.audit.record(manager, actor, {
          action: 'user.create',
          target,
          after: { email, name, role: 'member' },
        });
      }
      await this.change(manager, id, { active: true, ...input, userName, email }, actor);
      return this.get(id, manager);
    });
  }

  async update(id: string, input: UserInput, actor: Actor): Promise<ScimUser> {
    return this.dataSource.transaction(async (manager) => {
      await this.get(id, manager);
      await this.change(manager, id, input, actor);
      return this.get(id, manager);
    });
  }

  /** Disables the user, who is no longer found by SCIM. Nothing of the ledger goes. */
  async delete(id: string, actor: Actor): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const { userName } = await this.get(id, manager);
      await this.change(manager, id, { userName, active: false }, actor);
      await manager.query('UPDATE scim_users SET deleted_at = now() WHERE user_id = $1', [id]);
      await manager.query('DELETE FROM scim_group_members WHERE user_id = $1', [id]);
      const { oidc } = this.settings.signIn;
      if (oidc) await this.grant(manager, id, groupAccess([], oidc), null, actor);
    });
  }

  /** Those of the ids that belong to people. */
  async existing(manager: EntityManager, ids: readonly string[]): Promise<Set<string>> {
    const found: { id: string }[] = await manager.query(`SELECT u.id ${FROM} AND u.id::text = ANY ($1::text[])`, [ids]);
    return new Set(found.map(({ id }) => id));
  }

  /** The role, plans and projects of the person's groups; single sign-on ends for those who may not sign in any more. */
  async grant(manager: EntityManager, id: string, access: GroupAccess, planLifetime: number | null, actor: Actor) {
    const query = 'SELECT id, email, name, role FROM users WHERE id = $1';
    const [user]: [Member & Pick<User, 'role'>] = await manager.query(query, [id]);
    if (access.role !== null && access.role !== user.role) await this.setRole(manager, user, access.role, actor);
    if (!access.isAllowed) await manager.query("DELETE FROM sessions WHERE user_id = $1 AND method = 'oidc'", [id]);
    await this.groups.apply(manager, user, access, planLifetime, actor);
  }

  private async setRole(manager: EntityManager, { id }: Member, role: User['role'], actor: Actor): Promise<void> {
    try {
      await changeUser(manager, this.audit, id, { role }, actor);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      this.logger.warn(`A role cannot follow the groups: ${error.message}`);
    }
  }

  private async change(manager: EntityManager, id: string, input: UserInput, actor: Actor): Promise<void> {
    const { userName, externalId, email, displayName, givenName, familyName, active } = input;
    const stored = { userName: userName && toUserName(userName), externalId, givenName, familyName };
    const fields = Object.entries(stored).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    if (fields.length > 0) await this.store(manager, id, Object.fromEntries(fields));
    await changeUser(
      manager,
      this.audit,
      id,
      {
        ...(email !== undefined && { email: toAddress(email) }),
        ...(displayName !== undefined && { name: toName(displayName) }),
        ...(active !== undefined && { disabled: !active }),
      },
      actor,
    );
  }

  private async store(
    manager: EntityManager,
    id: string,
    fields: Readonly<Record<string, string | null>>,
  ): Promise<void> {
    const taken = 'SELECT FROM scim_users WHERE lower(user_name) = lower($1) AND user_id <> $2';
    if (fields.userName && (await manager.query(taken, [fields.userName, id])).length > 0) {
      throw new UserTakenError('There is already a user with this userName.');
    }
    const assigned = (column: string, field: string) =>
      `${column} = CASE WHEN given ? '${field}' THEN given ->> '${field}' ELSE stored.${column} END`;
    await manager.query(
      `INSERT INTO scim_users (user_id, user_name) SELECT id, coalesce($2, email) FROM users WHERE id = $1
       ON CONFLICT (user_id) DO NOTHING`,
      [id, fields.userName ?? null],
    );
    await manager.query(
      `UPDATE scim_users AS stored SET deleted_at = NULL, ${assigned('user_name', 'userName')}, ${assigned('external_id', 'externalId')},
         ${assigned('given_name', 'givenName')}, ${assigned('family_name', 'familyName')}
       FROM (SELECT $2::jsonb AS given) AS input WHERE user_id = $1`,
      [id, JSON.stringify(fields)],
    );
  }
}

const MAX_NAME = 256;

function toUserName(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= MAX_NAME && !name.includes('\0')) return name;
  throw new UsageError(`A userName must have 1 to ${MAX_NAME} characters.`, 'userName');
}
