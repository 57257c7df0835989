import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { ForgottenUsersService } from './forgotten-users.service.js';
import { PasswordLinksService } from './password-links.service.js';
import { ProjectMemberEntity } from './project.types.js';
import { ProjectMembersService } from './project-members.service.js';
import { ProjectsService } from './projects.service.js';
import { ServiceAccountsService } from './service-accounts.service.js';
import { PasswordLinkEntity, SessionEntity } from './session.entity.js';
import { SessionsService } from './sessions.service.js';
import { SetupService } from './setup.service.js';
import { SignInService } from './sign-in.service.js';
import { SignInLimitsService } from './sign-in-limits.service.js';
import { UserEntity } from './user.entity.js';
import { UsersService } from './users.service.js';

const SERVICES = [
  ForgottenUsersService,
  PasswordLinksService,
  ProjectMembersService,
  ProjectsService,
  ServiceAccountsService,
  SessionsService,
  SetupService,
  SignInLimitsService,
  SignInService,
  UsersService,
];

@Module({
  imports: [
    AuditModule,
    TypeOrmModule.forFeature([PasswordLinkEntity, ProjectMemberEntity, SessionEntity, UserEntity]),
  ],
  providers: SERVICES,
  exports: SERVICES,
})
export class AccountsModule {}
