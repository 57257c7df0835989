import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, MoreThan, type Repository } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../audit/audit.types.js';
import { UsageError } from '../common/usage.error.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { ClockService } from '../database/clock.service.js';
import { hashOfToken, newToken, toPasswordHash } from './passwords.js';
import { PasswordLinkEntity } from './session.entity.js';
import { SessionsService } from './sessions.service.js';
import { invalidPasswordLink, localSignInDisabled, SignInLimitsService } from './sign-in-limits.service.js';
import { toUserWithEmail, type UserEntity, withEmail } from './user.entity.js';
import { actorOf, type OpenedSession, type SignInOrigin, type UserWithEmail, userTarget } from './user.types.js';
import { lockedUser, replacePassword } from './user-changes.js';
import { UsersService } from './users.service.js';

const LIFETIME_MS = 24 * 60 * 60 * 1000;

/** A new link: the only time that its token is visible. */
export interface PasswordLink {
  readonly token: string;
  readonly user: UserWithEmail;
  readonly expiresAt: Date;
}

/** One-time links to set a password: for an invitation or a reset. They need no mail server. */
@Injectable()
export class PasswordLinksService {
  constructor(
    @InjectRepository(PasswordLinkEntity) private readonly links: Repository<PasswordLinkEntity>,
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly limits: SignInLimitsService,
    private readonly audit: AuditService,
    private readonly clock: ClockService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /** The user's earlier links stop working. */
  async create(userId: string, actor: Actor): Promise<PasswordLink> {
    if (!this.settings.signIn.local) throw localSignInDisabled();
    const { id } = await this.users.get(userId);
    return this.links.manager.transaction((manager) => this.createWithin(manager, id, actor));
  }

  /** In the caller's transaction. */
  async createWithin(manager: EntityManager, userId: string, actor: Actor): Promise<PasswordLink> {
    const token = newToken();
    const expiresAt = new Date(this.clock.now() + LIFETIME_MS);
    const user = personOf(await lockedUser(manager, userId));
    if (user.disabledAt) throw new UsageError(`${user.email} is disabled: enable the account first.`);
    await manager.delete(PasswordLinkEntity, { userId });
    await manager.insert(PasswordLinkEntity, { tokenHash: hashOfToken(token), userId, expiresAt });
    await this.audit.record(manager, actor, { action: 'link.create', target: userTarget(user), after: { expiresAt } });
    return { token, user, expiresAt };
  }

  /** The owner of the password. */
  async check(token: string, origin: SignInOrigin): Promise<UserWithEmail> {
    if (!this.settings.signIn.local) throw localSignInDisabled();
    const attempt = await this.limits.attemptFrom(origin.address);
    const link = await this.links.findOneBy(this.usable(token));
    const user = link && (await this.users.find(link.userId));
    if (!user || user.disabledAt) throw invalidPasswordLink();
    await attempt.withdrawn();
    return withEmail(user);
  }

  /** Sets the password, ends the user's sessions and opens a new one. */
  async use(token: string, password: string, origin: SignInOrigin): Promise<OpenedSession> {
    const { id } = await this.check(token, origin);
    const passwordHash = await toPasswordHash(password);
    return this.links.manager.transaction(async (manager) => {
      const before = toUserWithEmail(await lockedUser(manager, id));
      const { affected } = await manager.update(PasswordLinkEntity, this.usable(token), { usedAt: this.clock.date() });
      if (affected !== 1 || before.disabledAt) throw invalidPasswordLink();
      const actor = actorOf(before, origin);
      await this.audit.record(manager, actor, { action: 'link.use', target: userTarget(before) });
      const user = await replacePassword(manager, this.audit, { id, passwordHash }, actor);
      return this.sessions.openWithin(manager, user, 'password', origin);
    });
  }

  /** Those of these people who cannot sign in before they use their link. */
  async invitedAmong(userIds: readonly string[]): Promise<ReadonlySet<string>> {
    const where = { userId: In([...userIds]), usedAt: IsNull() };
    const links = await this.links.find({ select: { userId: true, tokenHash: true }, where });
    return new Set(links.map(({ userId }) => userId));
  }

  private usable(token: string) {
    return { tokenHash: hashOfToken(token), usedAt: IsNull(), expiresAt: MoreThan(this.clock.date()) };
  }
}

function personOf(entity: UserEntity): UserWithEmail {
  if (entity.kind === 'person') return toUserWithEmail(entity);
  throw new UsageError('A service account cannot sign in, so it has no password.');
}
