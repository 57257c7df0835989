import { randomBytes, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../audit/audit.types.js';
import { AuditRedactionsService } from '../audit/audit-redactions.service.js';
import { UsageError } from '../common/usage.error.js';
import { notifyCallerChanged } from '../database/changes.service.js';
import { isActiveAdmin, lockAdmins, toUser, UserEntity } from './user.entity.js';
import { labelOf, type User, userTarget } from './user.types.js';
import { checkMayLoseRights, endAccess, lockedUser, noSuchUser } from './user-changes.js';

/** Addresses of this top-level domain belong to nobody (RFC 2606). */
const DOMAIN = 'forgotten.invalid';

/** Deletes what says something about the person, and is needed for nothing else. $1: the user's id. */
const DELETED = [
  'DELETE FROM project_members WHERE user_id = $1',
  'DELETE FROM idempotent_writes WHERE user_id = $1',
  'DELETE FROM scim_group_members WHERE user_id = $1',
  'DELETE FROM scim_users WHERE user_id = $1',
  'DELETE FROM call_contents WHERE user_id = $1',
  'DELETE FROM remembered_responses WHERE owner_id = $1',
  'DELETE FROM cached_answers WHERE owner_id = $1',
  ...['usage_calls', 'recent_errors'].map(
    (table) =>
      `UPDATE ${table} SET client_address = NULL, user_agent = NULL
       WHERE user_id = $1 AND (client_address IS NOT NULL OR user_agent IS NOT NULL)`,
  ),
];

/** $1: the user's id; $2: the pseudonym. */
const KEYS = `
  UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()), name = $2, note = '', addresses = NULL,
    bound_addresses = NULL, last_used_address = NULL, last_used_agent = NULL, previous_key_hash = NULL,
    previous_display = NULL, previous_expires_at = NULL, previous_used_at = NULL, previous_used_address = NULL,
    previous_used_agent = NULL, subject = CASE WHEN issuer IS NOT NULL THEN $2 END, person_id = NULL
  WHERE user_id = $1 OR person_id = $1 RETURNING id`;

const TOKENS = `
  UPDATE access_tokens SET revoked_at = coalesce(revoked_at, now()), name = $2, addresses = NULL,
    last_used_address = NULL, last_used_agent = NULL
  WHERE user_id = $1 RETURNING id`;

/** Replaces what identifies a person by a pseudonym, for good. Usage and charges stay, under the pseudonym. */
@Injectable()
export class ForgottenUsersService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly audit: AuditService,
    private readonly redactions: AuditRedactionsService,
  ) {}

  /** Ends keys and sessions within a second. The only record of the change names the pseudonym. */
  async forget(id: string, actor: Actor, evenLast = false): Promise<User> {
    return this.dataSource.transaction(async (manager) => {
      await lockAdmins(manager);
      const user = await lockedUser(manager, id);
      if (user.kind === 'project') throw noSuchUser();
      if (user.forgottenAt) throw new UsageError('This user is already forgotten.');
      if (isActiveAdmin(user)) await checkMayLoseRights(manager, user, actor, evenLast);
      const pseudonym = `forgotten-${randomBytes(4).toString('hex')}`;
      const renamed = await this.rename(manager, user, pseudonym);
      for (const statement of DELETED) await manager.query(statement, [id]);
      const [keys]: [{ id: string }[]] = await manager.query(KEYS, [id, pseudonym]);
      const [tokens]: [{ id: string }[]] = await manager.query(TOKENS, [id, pseudonym]);
      await endAccess(manager, id);
      const keyIds = [...keys, ...tokens].map((one) => one.id);
      const redaction = randomUUID();
      const redacted = await this.redactions.redact(manager, redaction, { id, keyIds, ...identityOf(user), pseudonym });
      await this.audit.record(manager, actor.id === id ? { ...actor, name: labelOf(renamed) } : actor, {
        action: 'user.forget',
        target: userTarget(renamed),
        after: { keysRevoked: keys.length, redaction, ...redacted },
      });
      await notifyCallerChanged(manager, 'user', id);
      return toUser(renamed);
    });
  }

  private async rename(manager: EntityManager, user: UserEntity, pseudonym: string): Promise<UserEntity> {
    const values = {
      email: user.email === null ? null : `${pseudonym}@${DOMAIN}`,
      name: user.email === null ? pseudonym : '',
      role: 'member' as const,
      passwordHash: null,
      oidcIssuer: null,
      oidcSubject: null,
      lastSeenAt: null,
      disabledAt: user.disabledAt ?? new Date(),
      forgottenAt: new Date(),
    };
    await manager.update(UserEntity, { id: user.id }, values);
    return { ...user, ...values };
  }
}

function identityOf({ email, name }: UserEntity) {
  return { email, name: name === '' ? null : name };
}
