import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, type Repository } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../audit/audit.types.js';
import { UsageError } from '../common/usage.error.js';
import { entityBatches, searchPatterns } from '../database/lists.js';
import { toAddress, toName, toPasswordHash } from './passwords.js';
import { toUser, toUserWithEmail, UserEntity } from './user.entity.js';
import {
  type Credentials,
  type NewPerson,
  type NewUser,
  type User,
  type UserChange,
  type UserFilter,
  type UserWithEmail,
  userTarget,
} from './user.types.js';
import { changeUser, insertUser, noSuchUser, replacePassword } from './user-changes.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** People and service accounts. Methods throw a `UsageError` for invalid input. */
@Injectable()
export class UsersService {
  constructor(
    @InjectRepository(UserEntity) private readonly users: Repository<UserEntity>,
    private readonly audit: AuditService,
  ) {}

  async create(user: NewUser, actor: Actor): Promise<UserWithEmail> {
    const { name = '', role = 'member', kind = 'person', password } = user;
    if (kind === 'service' && password !== undefined) throw new UsageError('A service account has no password.');
    const values = { email: toAddress(user.email), name: toName(name), role, kind, ...user.identity };
    const passwordHash = password === undefined ? null : await toPasswordHash(password);
    return this.users.manager.transaction(async (manager) => {
      const created = await insertUser(manager, { ...values, passwordHash });
      await this.audit.record(manager, actor, { action: 'user.create', target: userTarget(created), after: values });
      return created;
    });
  }

  /**
   * People without a password, in the caller's transaction. In the order of their addresses, and with the audit log last,
   * so that two such transactions do not wait for each other.
   */
  async createPeople(manager: EntityManager, people: readonly NewPerson[], actor: Actor): Promise<UserWithEmail[]> {
    const created = new Map<NewPerson, UserWithEmail>();
    for (const person of people.toSorted((a, b) => (a.email < b.email ? -1 : 1))) {
      created.set(person, await insertUser(manager, { ...person, kind: 'person', passwordHash: null }));
    }
    const users = people.flatMap((person) => created.get(person) ?? []);
    const changes = users.map(({ id, email, name, role }) => ({
      action: 'user.create' as const,
      target: userTarget({ id, email, name }),
      after: { email, name, role, kind: 'person' },
    }));
    await this.audit.recordAll(manager, actor, changes);
    return users;
  }

  /** Those of these addresses, folded, that a user has. */
  async takenAmong(emails: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await this.users.find({ select: { id: true, email: true }, where: { email: In([...emails]) } });
    return new Set(found.flatMap(({ email }) => email ?? []));
  }

  /** All matching ones, oldest first, in batches; without the users that represent projects. */
  async *batches({ role = null, kind = null, isDisabled = null, text = '' }: UserFilter = {}): AsyncGenerator<User[]> {
    const words = searchPatterns(text).map((_, at) => ` AND concat(u.email, ' ', u.name) ILIKE $${at + 4}`);
    const rest = ` FROM users AS u WHERE u.kind <> 'project' AND ($1::text IS NULL OR u.role = $1)
      AND ($2::text IS NULL OR u.kind = $2) AND ($3::boolean IS NULL OR (u.disabled_at IS NOT NULL) = $3)
      ${words.join('')} ORDER BY u.created_at, u.id`;
    const values = [role, kind, isDisabled, ...searchPatterns(text)];
    const batches = entityBatches<UserEntity, object>(this.users.manager.connection, UserEntity, 'u', rest, values);
    for await (const rows of batches) yield rows.map(toUser);
  }

  /** The users with these ids, by id, including those that represent projects; unknown ids are missing. */
  async byId(ids: readonly string[]): Promise<Map<string, User>> {
    const found = await this.users.findBy({ id: In([...new Set(ids)]) });
    return new Map(found.map((user) => [user.id, toUser(user)]));
  }

  async exists(): Promise<boolean> {
    return this.users.exists();
  }

  /** Null if there is no such person or service account. */
  async find(id: string): Promise<User | null> {
    const user = await this.findOwner(id);
    return user?.kind === 'project' ? null : user;
  }

  /** The same for any owner of keys, including a user that represents a project. */
  async findOwner(id: string): Promise<User | null> {
    if (!UUID.test(id)) return null;
    const user = await this.users.findOneBy({ id });
    return user && toUser(user);
  }

  async get(id: string): Promise<User> {
    const user = await this.find(id);
    if (!user) throw noSuchUser();
    return user;
  }

  async findByEmail(email: string): Promise<UserWithEmail | null> {
    const user = await this.users.findOneBy({ email: toAddress(email) });
    return user && toUserWithEmail(user);
  }

  async getByEmail(email: string): Promise<UserWithEmail> {
    const user = await this.findByEmail(email);
    if (!user) throw new UsageError(`There is no user with the e-mail address ${toAddress(email)}.`);
    return user;
  }

  /** By e-mail address, folded. */
  async findCredentials(email: string): Promise<Credentials | null> {
    const user = await this.users.findOneBy({ email });
    return user && { user: toUserWithEmail(user), passwordHash: user.passwordHash };
  }

  async markSeen(id: string, at: Date): Promise<void> {
    await this.users.update({ id }, { lastSeenAt: at });
  }

  /**
   * Demoting takes effect with the next request; disabling ends sessions immediately and disables keys within a second.
   */
  async update(id: string, change: UserChange, actor: Actor): Promise<User> {
    if (!UUID.test(id)) throw noSuchUser();
    const { name, email } = change;
    const checked = {
      ...change,
      ...(name !== undefined && { name: toName(name) }),
      ...(email !== undefined && { email: toAddress(email) }),
    };
    return this.users.manager.transaction((manager) => changeUser(manager, this.audit, id, checked, actor));
  }

  async setDisabled(email: string, disabled: boolean, actor: Actor, evenLast = false): Promise<User> {
    const { id } = await this.getByEmail(email);
    return this.update(id, { disabled, evenLast }, actor);
  }

  /** Ends the user's sessions, optionally except one, and the one-time links to a new password. */
  async setPassword(id: string, password: string, actor: Actor, retainedSession?: string): Promise<UserWithEmail> {
    const passwordHash = await toPasswordHash(password);
    return this.users.manager.transaction((manager) =>
      replacePassword(manager, this.audit, { id, passwordHash, retainedSession }, actor),
    );
  }
}
