import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { PasswordLinkEntity } from './password-link.entity.js';
import { PasswordLinksService } from './password-links.service.js';
import { SessionEntity } from './session.entity.js';
import { SessionsService } from './sessions.service.js';
import { SetupService } from './setup.service.js';
import { SignInService } from './sign-in.service.js';
import { SignInLimitsService } from './sign-in-limits.service.js';
import { UserEntity } from './user.entity.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [AuditModule, TypeOrmModule.forFeature([PasswordLinkEntity, SessionEntity, UserEntity])],
  providers: [PasswordLinksService, SessionsService, SetupService, SignInLimitsService, SignInService, UsersService],
  exports: [PasswordLinksService, SessionsService, SetupService, SignInService, UsersService],
})
export class AccountsModule {}
