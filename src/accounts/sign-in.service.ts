import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../audit/audit.types.js';
import { UsageError } from '../common/usage.error.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { DUMMY_HASH, foldedAddress, verifyPassword } from './passwords.js';
import { SessionsService } from './sessions.service.js';
import { invalidCredentials, localSignInDisabled, SignInLimitsService } from './sign-in-limits.service.js';
import {
  type Credentials,
  type OpenedSession,
  type SignInOrigin,
  type UserWithEmail,
  userTarget,
} from './user.types.js';
import { UsersService } from './users.service.js';

/** Sign-in with e-mail address and password. */
@Injectable()
export class SignInService {
  constructor(
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly limits: SignInLimitsService,
    private readonly audit: AuditService,
    @InjectDataSource() private readonly dataSource: DataSource,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /**
   * Takes the same time and returns the same result if the account is missing, has no password, or has a different one.
   */
  async signIn(email: string, password: string, origin: SignInOrigin): Promise<OpenedSession> {
    if (!this.settings.signIn.local) throw localSignInDisabled();
    const address = foldedAddress(email);
    const credentials = await this.checked(address, password, origin.address);
    if (!credentials) {
      await this.recordFailure(address, origin);
      throw invalidCredentials();
    }
    return this.sessions.open(credentials.user, 'password', origin);
  }

  /** Sets a new password for someone who knows the old one; the other sessions end. */
  async changePassword(
    user: UserWithEmail,
    passwords: { current: string; next: string },
    retainedSession: string,
    actor: Actor,
  ): Promise<void> {
    if (!this.settings.signIn.local) throw localSignInDisabled();
    if (!user.hasPassword) throw new UsageError('Your account has no password because you sign in another way.');
    if (!(await this.checked(user.email, passwords.current, actor.address))) {
      throw new UsageError('The current password is wrong.', 'currentPassword');
    }
    await this.users.setPassword(user.id, passwords.next, actor, retainedSession);
  }

  private async checked(email: string, password: string, address: string | null): Promise<Credentials | null> {
    const attempt = await this.limits.attempt(email, address);
    try {
      const credentials = await this.users.findCredentials(email);
      const isRight = await verifyPassword(password, credentials?.passwordHash ?? DUMMY_HASH);
      if (!credentials || !isRight || credentials.user.disabledAt) return null;
      await attempt.succeeded();
      return credentials;
    } catch (error) {
      await attempt.withdrawn();
      throw error;
    }
  }

  /** Does not name an unknown account: the text may be a password entered in the wrong field. */
  private async recordFailure(email: string, { address, requestId = null }: SignInOrigin): Promise<void> {
    const credentials = await this.users.findCredentials(email);
    const target = credentials
      ? userTarget(credentials.user)
      : ({ kind: 'user', id: null, name: 'unknown account' } as const);
    const actor: Actor = { kind: 'nobody', id: null, name: 'not signed in', address, requestId };
    await this.audit.record(this.dataSource.manager, actor, { action: 'session.sign_in_failed', target });
  }
}
