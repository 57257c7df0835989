import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { OidcSignInEntity } from './oidc.types.js';
import { OidcClientService } from './oidc-client.service.js';
import { OidcFlowsService } from './oidc-flows.service.js';
import { OidcUsersService } from './oidc-users.service.js';
import { UserEntity } from './user.entity.js';

/** Single sign-on with an OpenID provider. */
@Module({
  imports: [AuditModule, TypeOrmModule.forFeature([OidcSignInEntity, UserEntity])],
  providers: [OidcClientService, OidcFlowsService, OidcUsersService],
  exports: [OidcClientService, OidcFlowsService, OidcUsersService],
})
export class OidcModule {}
