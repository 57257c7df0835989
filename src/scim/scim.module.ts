import { Injectable, Module } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Request, Response } from 'express';
import type { DataSource } from 'typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { type Permission, Rights } from '../accounts/permissions.js';
import { AuditModule } from '../audit/audit.module.js';
import type { Actor } from '../audit/audit.types.js';
import { BillingModule } from '../billing/billing.module.js';
import { ClockService } from '../database/clock.service.js';
import { GroupAccessService } from './group-access.service.js';
import type { ScimRouter } from './scim.router.js';
import { ScimGroupsService } from './scim-groups.service.js';
import { ScimUsersService } from './scim-users.service.js';

/** Who can provision users now, and what was provisioned. */
export interface ScimState {
  /** When the last access token with which SCIM can be used ends; null: there is none. */
  readonly tokenEndsAt: Date | null;
  /** When a token for SCIM was last used, including tokens that have ended; null: never. */
  readonly lastRequestAt: Date | null;
  readonly lastRequestAddress: string | null;
  readonly users: number;
  readonly groups: number;
}

interface TokenRow {
  readonly kind: string;
  readonly role: 'admin' | 'member';
  readonly permissions: Permission[];
  readonly scopes: Permission[];
  readonly isLive: boolean;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
  readonly lastUsedAddress: string | null;
}

/** $1: now. The newest use comes first. */
const TOKENS = `
  SELECT u.kind, u.role, u.permissions, t.scopes, t.expires_at AS "expiresAt", t.last_used_at AS "lastUsedAt",
    t.last_used_address AS "lastUsedAddress",
    t.revoked_at IS NULL AND t.expires_at > $1 AND u.disabled_at IS NULL AND p.archived_at IS NULL AS "isLive"
  FROM access_tokens AS t JOIN users AS u ON u.id = t.user_id LEFT JOIN projects AS p ON p.id = u.project_id
  WHERE 'scim' = ANY (t.scopes) ORDER BY t.last_used_at DESC NULLS LAST`;
const COUNTS = `
  SELECT (SELECT count(*)::int FROM scim_users WHERE deleted_at IS NULL) AS users,
    (SELECT count(*)::int FROM scim_groups) AS groups`;

/** Answers identity providers. Its library takes a part of the start, so it is loaded by the first request. */
@Injectable()
export class ScimService {
  private router: Promise<ScimRouter> | undefined;

  constructor(
    private readonly users: ScimUsersService,
    private readonly groups: ScimGroupsService,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly clock: ClockService,
  ) {}

  async state(): Promise<ScimState> {
    const tokens: TokenRow[] = await this.dataSource.query(TOKENS, [this.clock.date()]);
    const [counts]: Pick<ScimState, 'users' | 'groups'>[] = await this.dataSource.query(COUNTS);
    const usable = tokens.filter(({ isLive, scopes, ...owner }) => isLive && Rights.of(owner, scopes).mayAll('scim'));
    const ends = usable.map(({ expiresAt }) => expiresAt).sort((a, b) => b.getTime() - a.getTime());
    return {
      tokenEndsAt: ends[0] ?? null,
      lastRequestAt: tokens[0]?.lastUsedAt ?? null,
      lastRequestAddress: tokens[0]?.lastUsedAddress ?? null,
      users: counts?.users ?? 0,
      groups: counts?.groups ?? 0,
    };
  }

  /** Answers a request below `/scim/v2`. `baseUrl`: the gateway's, for locations. */
  async answer(request: Request, response: Response, actor: Actor, baseUrl: string): Promise<void> {
    this.router ??= import('./scim.router.js').then((module) => new module.ScimRouter(this.users, this.groups));
    (await this.router).answer(request, response, actor, baseUrl);
  }
}

@Module({
  imports: [AccountsModule, AuditModule, BillingModule],
  providers: [GroupAccessService, ScimGroupsService, ScimService, ScimUsersService],
  exports: [GroupAccessService, ScimService],
})
export class ScimModule {}
