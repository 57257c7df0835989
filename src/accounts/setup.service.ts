import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import { type Actor, GATEWAY } from '../audit/audit.types.js';
import { UsageError } from '../common/usage.error.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { DatabaseService } from '../database/database.service.js';
import { hashOfToken, newToken, toAddress, toName, toPasswordHash } from './passwords.js';
import { SessionsService } from './sessions.service.js';
import { invalidSetupToken, SignInLimitsService } from './sign-in-limits.service.js';
import { toUserWithEmail, UserEntity, withEmail } from './user.entity.js';
import { actorOf, type OpenedSession, type SignInOrigin, type UserWithEmail, userTarget } from './user.types.js';
import {
  changeUser,
  insertUser,
  isSetUp,
  lockSetUp,
  markSetUp,
  replacePassword,
  replaceToken,
} from './user-changes.js';

interface FirstAdmin {
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

/**
 * The first administrator: created by the owner of the one-time token, or by the gateway from ADMIN_EMAIL and its
 * password. After that, setup is closed permanently.
 */
@Injectable()
export class SetupService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly sessions: SessionsService,
    private readonly limits: SignInLimitsService,
    private readonly audit: AuditService,
    database: DatabaseService,
    @InjectSettings() private readonly settings: Settings,
  ) {
    database.beforeReadyInFirst(() => this.makeAdminOfSettings());
  }

  /** If passwords are switched off, administrators come from single sign-on. */
  async isNeeded(): Promise<boolean> {
    return this.settings.signIn.local && !(await isSetUp(this.dataSource.manager));
  }

  /** The only valid token from now on, for an hour. Null if setup is closed. */
  async issueToken(): Promise<string | null> {
    return this.issue();
  }

  /** A new token; null if a token other than the known one is valid. */
  async renewToken(known: string): Promise<string | null> {
    return this.issue(hashOfToken(known));
  }

  /** Creates the administrator, or promotes an existing user, and signs in. */
  async complete(token: string, admin: FirstAdmin, origin: SignInOrigin): Promise<OpenedSession> {
    const attempt = await this.limits.attemptFrom(origin.address);
    await this.openWith(this.dataSource.manager, token);
    await attempt.withdrawn();
    const values = await toValues(admin);
    return this.dataSource.transaction(async (manager) => {
      await this.openWith(manager, token);
      const user = await this.makeAdmin(manager, values, (made) => actorOf(made, origin));
      return this.sessions.openWithin(manager, user, 'setup', origin);
    });
  }

  private async makeAdminOfSettings(): Promise<void> {
    const { firstAdmin } = this.settings;
    if (!firstAdmin || !(await this.isNeeded())) return;
    const values = await toValues({ ...firstAdmin, name: '' });
    await this.dataSource.transaction(async (manager) => {
      if (await lockSetUp(manager, null)) await this.makeAdmin(manager, values, () => GATEWAY);
    });
  }

  /** A user who was created by the command line keeps the account. */
  private async makeAdmin(
    manager: EntityManager,
    admin: Awaited<ReturnType<typeof toValues>>,
    actorFor: (user: UserWithEmail) => Actor,
  ): Promise<UserWithEmail> {
    const existing = await manager.findOneBy(UserEntity, { email: admin.email });
    const user = existing
      ? await this.promote(manager, existing, admin, actorFor(toUserWithEmail(existing)))
      : await insertUser(manager, { ...admin, role: 'admin', kind: 'person' });
    await markSetUp(manager);
    const { email, name, role } = user;
    const change = { action: 'setup.complete', target: userTarget(user), after: { email, name, role } };
    await this.audit.record(manager, actorFor(user), change);
    return user;
  }

  private async promote(
    manager: EntityManager,
    { id, name, kind, disabledAt }: UserEntity,
    admin: Awaited<ReturnType<typeof toValues>>,
    actor: Actor,
  ): Promise<UserWithEmail> {
    if (kind !== 'person' || disabledAt) {
      throw new UsageError('This address belongs to a service account or a disabled user. Use another one.', 'email');
    }
    await replacePassword(manager, this.audit, { id, passwordHash: admin.passwordHash }, actor);
    return withEmail(await changeUser(manager, this.audit, id, { name: admin.name || name, role: 'admin' }, actor));
  }

  private async issue(instead?: Buffer): Promise<string | null> {
    if (!this.settings.signIn.local) return null;
    const token = newToken();
    return (await replaceToken(this.dataSource.manager, hashOfToken(token), instead)) ? token : null;
  }

  private async openWith(manager: EntityManager, token: string): Promise<void> {
    const isOpen = this.settings.signIn.local && (await lockSetUp(manager, hashOfToken(token)));
    if (!isOpen) throw invalidSetupToken();
  }
}

async function toValues({ email, name, password }: FirstAdmin) {
  return { email: toAddress(email), name: toName(name), passwordHash: await toPasswordHash(password) };
}
