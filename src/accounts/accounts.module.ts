import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { PasswordLinkEntity } from './password-link.entity.js';
import { PasswordLinksService } from './password-links.service.js';
import { ProjectMemberEntity } from './projects/project-member.entity.js';
import { ProjectMembersService } from './projects/project-members.service.js';
import { ProjectsService } from './projects/projects.service.js';
import { ServiceAccountsService } from './projects/service-accounts.service.js';
import { SessionEntity } from './session.entity.js';
import { SessionsService } from './sessions.service.js';
import { SetupService } from './setup.service.js';
import { SignInService } from './sign-in.service.js';
import { SignInLimitsService } from './sign-in-limits.service.js';
import { UserEntity } from './user.entity.js';
import { UsersService } from './users.service.js';

const SERVICES = [
  PasswordLinksService,
  ProjectMembersService,
  ProjectsService,
  ServiceAccountsService,
  SessionsService,
  SetupService,
  SignInService,
  UsersService,
];

@Module({
  imports: [
    AuditModule,
    TypeOrmModule.forFeature([PasswordLinkEntity, ProjectMemberEntity, SessionEntity, UserEntity]),
  ],
  providers: [...SERVICES, SignInLimitsService],
  exports: SERVICES,
})
export class AccountsModule {}
