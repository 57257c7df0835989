import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, LessThanOrEqual, MoreThan, type Repository } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import { UsageError } from '../common/usage.error.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { hashOfToken, newToken } from './secret-tokens.js';
import type { OpenedSession, SignInOrigin } from './session.types.js';
import { SessionsService } from './sessions.service.js';
import { SetupTokenEntity } from './setup-token.entity.js';
import { invalidSetupToken } from './sign-in.errors.js';
import { SignInLimitsService } from './sign-in-limits.service.js';
import { toUser } from './to-user.js';
import { UserEntity } from './user.entity.js';
import type { User } from './user.types.js';
import { actorOf } from './user-actor.js';
import { changeUser, insertUser, replacePassword } from './user-changes.js';
import { toAddress, toName, toPasswordHash } from './user-input.js';
import { UsersService } from './users.service.js';

const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

interface FirstAdmin {
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

/** The first administrator: made by whoever can read the gateway's log, with the one-time token that stands there. */
@Injectable()
export class SetupService {
  constructor(
    @InjectRepository(SetupTokenEntity) private readonly tokens: Repository<SetupTokenEntity>,
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly limits: SignInLimitsService,
    private readonly audit: AuditService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /** With passwords switched off an administrator comes from the single sign-on. */
  async isNeeded(manager = this.tokens.manager): Promise<boolean> {
    return this.settings.signIn.local && !(await this.users.hasAdmin(manager));
  }

  /** A new token for the log; those of other processes stay valid. Null when there is an administrator. */
  async issueToken(): Promise<string | null> {
    if (!(await this.isNeeded())) return null;
    const token = newToken();
    const now = Date.now();
    await this.tokens.delete({ expiresAt: LessThanOrEqual(new Date(now)) });
    await this.tokens.insert({ tokenHash: hashOfToken(token), expiresAt: new Date(now + LIFETIME_MS) });
    return token;
  }

  /** Makes the administrator, or makes somebody who is there already one, and signs in. No token is valid after that. */
  async complete(token: string, admin: FirstAdmin, origin: SignInOrigin): Promise<OpenedSession> {
    const attempt = await this.limits.attemptFrom(origin.address);
    await this.checkToken(this.tokens.manager, token);
    await attempt.withdrawn();
    const values = { email: toAddress(admin.email), name: toName(admin.name) };
    const passwordHash = await toPasswordHash(admin.password);
    return this.tokens.manager.transaction(async (manager) => {
      await manager.query('LOCK TABLE setup_tokens IN SHARE ROW EXCLUSIVE MODE');
      await this.checkToken(manager, token);
      await manager.createQueryBuilder().delete().from(SetupTokenEntity).execute();
      const user = await this.adminWithin(manager, { ...values, passwordHash }, origin);
      const target = { kind: 'user', id: user.id, name: user.email } as const;
      const after = { ...values, role: user.role };
      await this.audit.record(manager, actorOf(user, origin), { action: 'setup.complete', target, after });
      return this.sessions.openWithin(manager, user, 'setup', origin);
    });
  }

  /** Whoever used the gateway before, by the command line, keeps the account. */
  private async adminWithin(
    manager: EntityManager,
    admin: { email: string; name: string; passwordHash: string },
    origin: SignInOrigin,
  ): Promise<User> {
    const existing = await manager.findOneBy(UserEntity, { email: admin.email });
    if (!existing) return insertUser(manager, { ...admin, role: 'admin', kind: 'person' });
    const { id } = existing;
    if (existing.kind === 'service' || existing.disabledAt) {
      throw new UsageError('This address belongs to a service account or a disabled user. Take another one.', 'email');
    }
    const actor = actorOf(toUser(existing), origin);
    await replacePassword(manager, this.audit, { id, passwordHash: admin.passwordHash }, actor);
    return changeUser(manager, this.audit, id, { name: admin.name, role: 'admin' }, actor);
  }

  private async checkToken(manager: EntityManager, token: string): Promise<void> {
    const known = { tokenHash: hashOfToken(token), expiresAt: MoreThan(new Date()) };
    if (!(await this.isNeeded(manager)) || !(await manager.existsBy(SetupTokenEntity, known)))
      throw invalidSetupToken();
  }
}
