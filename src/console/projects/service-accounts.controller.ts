import { Body, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { Session } from '../../accounts/session.types.js';
import type { Actor } from '../../audit/audit.types.js';
import { ConsoleController } from '../session/console-controller.js';
import { CurrentActor, CurrentSession } from '../session/current-session.js';
import { Role } from '../session/role.js';
import { ConsoleServiceAccountsService } from './console-service-accounts.service.js';
import { ServiceAccountView } from './dto/project.view.js';
import { ProjectNameDto, ServiceAccountDto } from './dto/project-requests.dto.js';

@ConsoleController('projects/:id/service-accounts', 'Projects')
@Role('member')
export class ServiceAccountsController {
  constructor(private readonly accounts: ConsoleServiceAccountsService) {}

  @Get()
  @ApiOperation({ summary: 'The service accounts of a project, oldest first' })
  @ApiOkResponse({ type: [ServiceAccountView] })
  list(@Param('id') id: string, @CurrentSession() session: Session): Promise<ServiceAccountView[]> {
    return this.accounts.list(id, session);
  }

  @Post()
  @ApiOperation({ summary: 'Create a service account of a project; it needs no e-mail address' })
  @ApiCreatedResponse({ type: ServiceAccountView })
  create(
    @Param('id') id: string,
    @Body() { name }: ProjectNameDto,
    @CurrentSession() session: Session,
    @CurrentActor() actor: Actor,
  ): Promise<ServiceAccountView> {
    return this.accounts.create(id, name, session, actor);
  }

  @Patch(':accountId')
  @ApiOperation({ summary: 'Rename a service account of a project, or disable and enable it' })
  @ApiOkResponse({ type: ServiceAccountView })
  update(
    @Param('id') id: string,
    @Param('accountId') accountId: string,
    @Body() body: ServiceAccountDto,
    @CurrentSession() session: Session,
    @CurrentActor() actor: Actor,
  ): Promise<ServiceAccountView> {
    return this.accounts.update(id, accountId, body, session, actor);
  }
}
