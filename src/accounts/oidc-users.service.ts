import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, FindOptionsWhere, Repository } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../audit/audit.types.js';
import { type OidcIdentity, OidcRefusal } from './oidc.types.js';
import { emailOf, nameOf } from './oidc-client.service.js';
import { SessionEntity } from './session.entity.js';
import { isLastAdmin, lockAdmins, toUserWithEmail, UserEntity } from './user.entity.js';
import { type UserRole, type UserWithEmail, userTarget } from './user.types.js';
import { markSetUp } from './user-changes.js';

export interface OidcUserRules {
  /** The role from the provider's groups; null if administrators of the gateway decide. */
  readonly role: UserRole | null;
  /** Whether the provider must have verified the e-mail address. */
  readonly requireVerifiedEmail: boolean;
}

/** Maps identities of the provider to users: each is identified by issuer and subject, permanently. */
@Injectable()
export class OidcUsersService {
  private readonly logger = new Logger('SingleSignOn');

  constructor(
    @InjectRepository(UserEntity) private readonly users: Repository<UserEntity>,
    private readonly audit: AuditService,
  ) {}

  /** The user who signs in: an existing user, one linked by a verified e-mail address, or a new one. */
  async resolve(identity: OidcIdentity, rules: OidcUserRules, actor: Actor): Promise<UserWithEmail> {
    return this.users.manager.transaction(async (manager) => {
      if (rules.role === 'member') await lockAdmins(manager);
      const user =
        (await find(manager, identity)) ??
        (await this.link(manager, identity, rules, actor)) ??
        (await this.create(manager, identity, rules, actor));
      if (user.disabledAt) throw new OidcRefusal('account_disabled');
      if (rules.role !== null) await this.setRole(manager, user, rules.role, actor);
      return toUserWithEmail(user);
    });
  }

  /** Removes the role and sessions of an identity that can no longer sign in. Null if it is unknown. */
  async withdraw(identity: OidcIdentity, { role }: OidcUserRules, actor: Actor): Promise<UserWithEmail | null> {
    return this.users.manager.transaction(async (manager) => {
      if (role === 'member') await lockAdmins(manager);
      const user = await find(manager, identity);
      if (!user) return null;
      if (role !== null) await this.setRole(manager, user, role, actor);
      const { affected } = await manager.delete(SessionEntity, { userId: user.id, method: 'oidc' });
      if (affected) await this.audit.record(manager, actor, { action: 'session.close_all', target: userTarget(user) });
      return toUserWithEmail(user);
    });
  }

  /** Records a refused sign-in in the audit log. */
  async recordRefusal(identity: OidcIdentity, { reason }: OidcRefusal, actor: Actor): Promise<void> {
    const { manager } = this.users;
    const user = await manager.findOneBy(UserEntity, subjectOf(identity));
    const name = user?.email ?? emailOf(identity) ?? 'unknown account';
    const target = { kind: 'user', id: user?.id ?? null, name } as const;
    await this.audit.record(manager, actor, {
      action: 'session.sign_in_failed',
      target,
      after: { method: 'oidc', reason },
    });
  }

  /**
   * A user may have existed before single sign-on, or have come from a provider that is no longer used. The address
   * identifies the user only if the provider has verified it.
   */
  private async link(manager: EntityManager, identity: OidcIdentity, rules: OidcUserRules, actor: Actor) {
    const email = usableEmail(identity, rules);
    const user = await findLocked(manager, { email });
    if (!user) return null;
    const isTaken = user.kind === 'service' || user.oidcIssuer === identity.issuer;
    if (isTaken || identity.emailVerified !== true) throw new OidcRefusal('account_exists');
    if (user.disabledAt) throw new OidcRefusal('account_disabled');
    const link = subjectOf(identity);
    await manager.update(UserEntity, { id: user.id }, link);
    const { oidcIssuer, oidcSubject } = user;
    const before = oidcIssuer === null ? null : { oidcIssuer, oidcSubject };
    await this.audit.record(manager, actor, { action: 'user.link', target: userTarget(user), before, after: link });
    return Object.assign(user, link);
  }

  private async create(manager: EntityManager, identity: OidcIdentity, rules: OidcUserRules, actor: Actor) {
    const email = usableEmail(identity, rules);
    const role = rules.role ?? 'member';
    const values = { email, name: nameOf(identity), role, kind: 'person', ...subjectOf(identity) } as const;
    const insert = manager.createQueryBuilder().insert().into(UserEntity).values(values).orIgnore();
    const { raw: inserted } = await insert.returning('id').execute();
    // Two simultaneous first sign-ins create one user. If another identity has taken the address meanwhile, that is a
    // different user.
    const user = await find(manager, identity);
    if (!user) throw new OidcRefusal('account_exists');
    if (inserted.length === 0) return user;
    if (role === 'admin') await markSetUp(manager);
    await this.audit.record(manager, actor, { action: 'user.create', target: userTarget(user), after: values });
    return user;
  }

  private async setRole(manager: EntityManager, user: UserEntity, role: UserRole, actor: Actor): Promise<void> {
    if (user.role === role) return;
    if (role === 'member' && (await isLastAdmin(manager, user))) {
      this.logger.warn('The last administrator keeps the role although no group at the provider grants it.');
      return;
    }
    const [before, after] = [{ role: user.role }, { role }];
    await manager.update(UserEntity, { id: user.id }, after);
    if (role === 'admin') await markSetUp(manager);
    await this.audit.record(manager, actor, { action: 'user.role', target: userTarget(user), before, after });
    user.role = role;
  }
}

function find(manager: EntityManager, identity: OidcIdentity): Promise<UserEntity | null> {
  return findLocked(manager, subjectOf(identity));
}

function subjectOf({ issuer, subject }: OidcIdentity) {
  return { oidcIssuer: issuer, oidcSubject: subject };
}

function findLocked(manager: EntityManager, where: FindOptionsWhere<UserEntity>): Promise<UserEntity | null> {
  return manager.findOne(UserEntity, { where, lock: { mode: 'pessimistic_write' } });
}

function usableEmail(identity: OidcIdentity, { requireVerifiedEmail }: OidcUserRules): string {
  const email = emailOf(identity);
  if (email === null) throw new OidcRefusal('claim_missing', ['email']);
  const isTrusted = identity.emailVerified ?? !requireVerifiedEmail;
  if (!isTrusted) throw new OidcRefusal('email_not_verified', ['email_verified']);
  return email;
}
