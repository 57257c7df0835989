import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, LessThanOrEqual, Not, type Repository } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../audit/audit.types.js';
import { NotFoundError } from '../common/usage.error.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { ClockService } from '../database/clock.service.js';
import { hashOfToken, newToken } from './passwords.js';
import { Rights } from './permissions.js';
import { SessionEntity, type SignInMethod } from './session.entity.js';
import { withEmail } from './user.entity.js';
import {
  actorOf,
  type BrowserSession,
  labelOf,
  type OpenedSession,
  type Session,
  type SignInOrigin,
  type User,
  type UserWithEmail,
  userTarget,
} from './user.types.js';
import { UsersService } from './users.service.js';

const MAX_USER_AGENT_LENGTH = 300;
/** How precisely a session's last use is stored. */
const SEEN_EVERY_MS = 60_000;
const MAX_LISTED = 500;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Sessions. They are in the database, so that each can be ended everywhere immediately. */
@Injectable()
export class SessionsService {
  constructor(
    @InjectRepository(SessionEntity) private readonly sessions: Repository<SessionEntity>,
    private readonly users: UsersService,
    private readonly audit: AuditService,
    private readonly clock: ClockService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  async open(user: UserWithEmail, method: SignInMethod, origin: SignInOrigin): Promise<OpenedSession> {
    return this.sessions.manager.transaction((manager) => this.openWithin(manager, user, method, origin));
  }

  /** The same within a larger transaction. */
  async openWithin(
    manager: EntityManager,
    user: UserWithEmail,
    method: SignInMethod,
    origin: SignInOrigin,
  ): Promise<OpenedSession> {
    const token = newToken();
    const now = this.clock.date();
    await manager.delete(SessionEntity, { expiresAt: LessThanOrEqual(now) });
    const { id } = await manager.save(SessionEntity, {
      tokenHash: hashOfToken(token),
      userId: user.id,
      method,
      address: origin.address,
      userAgent: origin.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + this.settings.signIn.sessionMax),
    });
    const change = { action: 'session.sign_in', target: userTarget(user), after: { method } };
    await this.audit.record(manager, actorOf(user, origin), change);
    return { token, session: toSession(await manager.findOneByOrFail(SessionEntity, { id }), user) };
  }

  /** The session of a cookie's token; null if it has ended or never existed, or its user is disabled. */
  async find(token: string): Promise<Session | null> {
    const found = await this.sessions.findOneBy({ tokenHash: hashOfToken(token) });
    const now = this.clock.date();
    if (!found || this.hasEnded(found, now)) return null;
    const user = await this.users.find(found.userId);
    if (!user || user.disabledAt) return null;
    const person = withEmail(user);
    if (now.getTime() - found.lastSeenAt.getTime() >= SEEN_EVERY_MS) {
      await this.sessions.update({ id: found.id }, { lastSeenAt: now });
      found.lastSeenAt = now;
    }
    if (now.getTime() - (user.lastSeenAt?.getTime() ?? 0) >= SEEN_EVERY_MS) await this.users.markSeen(user.id, now);
    return toSession(found, person);
  }

  /** The user's current sessions, the last used first, up to a limit. */
  async list(user: User): Promise<BrowserSession[]> {
    const now = this.clock.date();
    const order = { lastSeenAt: 'DESC', id: 'ASC' } as const;
    const sessions = await this.sessions.find({ where: { userId: user.id }, order, take: MAX_LISTED });
    return sessions.filter((session) => !this.hasEnded(session, now)).map((session) => toSession(session, user));
  }

  /** Ends one session of the user. */
  async close(user: User, id: string, actor: Actor, action: 'session.close' | 'session.sign_out'): Promise<void> {
    if (!UUID.test(id)) throw noSuchSession();
    await this.sessions.manager.transaction(async (manager) => {
      const { affected } = await manager.delete(SessionEntity, { id, userId: user.id });
      if (!affected) throw noSuchSession();
      await this.audit.record(manager, actor, { action, target: { kind: 'session', id, name: labelOf(user) } });
    });
  }

  /** Ends a session that another one replaces; this is not recorded. */
  async replace(id: string): Promise<void> {
    await this.sessions.delete({ id });
  }

  /** Ends all sessions of the user, optionally except one; returns their number. */
  async closeAll(user: User, actor: Actor, stored?: string): Promise<number> {
    return this.sessions.manager.transaction(async (manager) => {
      const others = { userId: user.id, ...(stored !== undefined && { id: Not(stored) }) };
      const closed = (await manager.delete(SessionEntity, others)).affected ?? 0;
      const change = { action: 'session.close_all', target: userTarget(user), after: { closed } };
      await this.audit.record(manager, actor, change);
      return closed;
    });
  }

  private hasEnded({ lastSeenAt, expiresAt }: SessionEntity, now: Date): boolean {
    return expiresAt <= now || lastSeenAt.getTime() + this.settings.signIn.sessionIdle <= now.getTime();
  }
}

function noSuchSession(): NotFoundError {
  return new NotFoundError('The session does not exist.');
}

function toSession(entity: SessionEntity, user: User): BrowserSession {
  const { id, method, address, userAgent, createdAt, lastSeenAt, expiresAt } = entity;
  return {
    id,
    user,
    rights: Rights.of(user),
    token: null,
    method,
    address,
    userAgent,
    createdAt,
    lastSeenAt,
    expiresAt,
  };
}
