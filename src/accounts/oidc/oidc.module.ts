import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../audit/audit.module.js';
import { UserEntity } from '../user.entity.js';
import { OidcClientService } from './oidc-client.service.js';
import { OidcFlowsService } from './oidc-flows.service.js';
import { OidcSignInEntity } from './oidc-sign-in.entity.js';
import { OidcUsersService } from './oidc-users.service.js';

/** Single sign-on with an OpenID provider. */
@Module({
  imports: [AuditModule, TypeOrmModule.forFeature([OidcSignInEntity, UserEntity])],
  providers: [OidcClientService, OidcFlowsService, OidcUsersService],
  exports: [OidcClientService, OidcFlowsService, OidcUsersService],
})
export class OidcModule {}
