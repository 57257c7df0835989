import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Rights } from '../accounts/permissions.js';
import { SignInLimitsService } from '../accounts/sign-in-limits.service.js';
import type { Session, SignInOrigin } from '../accounts/user.types.js';
import { UsersService } from '../accounts/users.service.js';
import { AddressList } from '../common/address-list.js';
import { type GatewayError, gatewayError } from '../common/gateway.error.js';
import { sanitized } from '../common/text.js';
import { ClockService } from '../database/clock.service.js';
import { AccessTokenEntity } from './access-token.entity.js';
import { hashApiKey, isAccessToken } from './api-key.secret.js';

const MAX_AGENT_LENGTH = 200;
/** How precisely the last use is stored, from the same address and client. */
const USED_EVERY_MS = 60_000;

/** `hash`: SHA-256 of the secret. */
const BY_HASH = `t.token_hash = :hash AND t.revoked_at IS NULL AND t.expires_at > :now AND NOT EXISTS (
  SELECT FROM users AS u LEFT JOIN projects AS p ON p.id = u.project_id
  WHERE u.id = t.user_id AND (u.disabled_at IS NOT NULL OR p.archived_at IS NOT NULL))`;

/** Admits requests with an access token. Each is checked against the database, so a revoked token ends at once. */
@Injectable()
export class TokenAccessService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly users: UsersService,
    private readonly limits: SignInLimitsService,
    private readonly clock: ClockService,
  ) {}

  /** `secret`: what the Authorization header has after `Bearer`. */
  async authenticate(secret: string, origin: SignInOrigin): Promise<Session> {
    const token = isAccessToken(secret) ? await this.find(secret) : null;
    const user = token && (await this.users.find(token.userId));
    if (!token || !user) {
      await this.limits.failedToken(origin.address);
      throw invalidToken(secret);
    }
    if (token.addresses && !new AddressList(token.addresses).includes(origin.address ?? '')) {
      await this.limits.failedToken(origin.address);
      throw gatewayError(403, 'ip_not_allowed', 'This access token may not be used from this address.');
    }
    await this.limits.useToken(token.id);
    await this.noteUse(token, origin);
    const { id, name, scopes, addresses, expiresAt, createdAt } = token;
    return {
      ...{ id, user, rights: Rights.of(user, scopes), method: 'token', token: { name, addresses, expiresAt } },
      ...{ address: origin.address, userAgent: origin.userAgent, createdAt, lastSeenAt: this.clock.date(), expiresAt },
    };
  }

  private async find(secret: string): Promise<AccessTokenEntity | null> {
    const hash = Buffer.from(hashApiKey(secret), 'base64url');
    const found = this.dataSource.createQueryBuilder(AccessTokenEntity, 't');
    return found.where(BY_HASH, { hash, now: this.clock.date() }).getOne();
  }

  private async noteUse(token: AccessTokenEntity, { address, userAgent }: SignInOrigin): Promise<void> {
    const agent = sanitized(userAgent, MAX_AGENT_LENGTH);
    const now = this.clock.date();
    const isRecent = now.getTime() - (token.lastUsedAt?.getTime() ?? 0) < USED_EVERY_MS;
    if (isRecent && token.lastUsedAddress === address && token.lastUsedAgent === agent) return;
    const use = { lastUsedAt: now, lastUsedAddress: address, lastUsedAgent: agent };
    await this.dataSource.manager.update(AccessTokenEntity, { id: token.id }, use);
  }
}

function invalidToken(secret: string): GatewayError {
  const message = secret.startsWith('svc_')
    ? 'An API key (svc_…) belongs at /v1. Send an access token here: `Authorization: Bearer gat_…`.'
    : 'The access token is invalid: it may be mistyped, expired or revoked, or its owner is disabled. ' +
      'Create one in the console under Account → Access tokens.';
  return gatewayError(401, 'invalid_access_token', message, { headers: { 'www-authenticate': 'Bearer' } });
}
