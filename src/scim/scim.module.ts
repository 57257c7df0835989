import { Injectable, Module } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import type { Actor } from '../audit/audit.types.js';
import { BillingModule } from '../billing/billing.module.js';
import { GroupAccessService } from './group-access.service.js';
import type { ScimRouter } from './scim.router.js';
import { ScimGroupsService } from './scim-groups.service.js';
import { ScimUsersService } from './scim-users.service.js';

/** Answers identity providers. Its library takes a part of the start, so it is loaded by the first request. */
@Injectable()
export class ScimService {
  private router: Promise<ScimRouter> | undefined;

  constructor(
    private readonly users: ScimUsersService,
    private readonly groups: ScimGroupsService,
  ) {}

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
