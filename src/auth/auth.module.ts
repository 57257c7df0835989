import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { LimitSettingsModule } from '../limits/settings/limit-settings.service.js';
import { AccessTokenEntity } from './access-token.entity.js';
import { AccessTokensService } from './access-tokens.service.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { ApiKeysService } from './api-keys.service.js';
import { Authenticator, BearerGuard } from './bearer.guard.js';
import { CallersService } from './callers.service.js';
import { GuardAssignmentsService } from './guard-assignments.service.js';
import { IdentitiesService } from './identities.service.js';
import { KeyContentLogService } from './key-content-log.service.js';
import { KeyListService } from './key-list.service.js';
import { LastUsedService } from './last-used.service.js';
import { PlaygroundKeysService } from './playground-keys.service.js';
import { PreviousSecretsService } from './previous-secrets.service.js';
import { TokenAccessService } from './token-access.service.js';
import { UnknownKeysService } from './unknown-keys.service.js';

const SERVICES = [
  AccessTokensService,
  ApiKeysService,
  Authenticator,
  BearerGuard,
  CallersService,
  GuardAssignmentsService,
  IdentitiesService,
  LastUsedService,
  PlaygroundKeysService,
  PreviousSecretsService,
  KeyContentLogService,
  KeyListService,
  TokenAccessService,
];

@Module({
  imports: [
    AccountsModule,
    AuditModule,
    BillingModule,
    LimitSettingsModule,
    TypeOrmModule.forFeature([AccessTokenEntity, ApiKeyEntity]),
  ],
  providers: [...SERVICES, UnknownKeysService],
  exports: [...SERVICES, LimitSettingsModule],
})
export class AuthModule {}
