import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { LimitSettingsModule } from '../limits/settings/limit-settings.module.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { ApiKeysService } from './api-keys.service.js';
import { BearerGuard } from './bearer.guard.js';
import { CallersService } from './callers.service.js';
import { KeyContentLogService } from './key-content-log.service.js';
import { KeyListService } from './key-list.service.js';
import { LastUsedService } from './last-used.service.js';
import { PlaygroundKeysService } from './playground-keys.service.js';
import { PreviousSecretsService } from './previous-secrets.service.js';
import { UnknownKeysService } from './unknown-keys.service.js';

const SERVICES = [
  ApiKeysService,
  BearerGuard,
  CallersService,
  LastUsedService,
  PlaygroundKeysService,
  PreviousSecretsService,
  KeyContentLogService,
  KeyListService,
];

@Module({
  imports: [AuditModule, BillingModule, LimitSettingsModule, TypeOrmModule.forFeature([ApiKeyEntity])],
  providers: [...SERVICES, UnknownKeysService],
  exports: [...SERVICES, LimitSettingsModule],
})
export class AuthModule {}
