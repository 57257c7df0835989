import { Body, Get, Param, Patch, Post } from '@nestjs/common';
import type { Session } from '../../accounts/session.types.js';
import { ConsoleController, Returns } from '../session/console-controller.js';
import { CurrentSession, type SignedIn } from '../session/current-session.js';
import { ConsoleServiceAccountsService } from './console-service-accounts.service.js';
import { ServiceAccountView } from './dto/project.view.js';
import { ProjectNameDto, ServiceAccountDto } from './dto/project-requests.dto.js';

@ConsoleController('projects/:id/service-accounts', 'Projects', 'member')
export class ServiceAccountsController {
  constructor(private readonly accounts: ConsoleServiceAccountsService) {}

  @Get()
  @Returns([ServiceAccountView], 'The service accounts of a project, oldest first')
  list(@Param('id') id: string, @CurrentSession() session: Session): Promise<ServiceAccountView[]> {
    return this.accounts.list(id, session);
  }

  @Post()
  @Returns(ServiceAccountView, 'Create a service account of a project; it needs no e-mail address', { status: 201 })
  create(
    @Param('id') id: string,
    @Body() { name }: ProjectNameDto,
    @CurrentSession() session: SignedIn,
  ): Promise<ServiceAccountView> {
    return this.accounts.create(id, name, session);
  }

  @Patch(':accountId')
  @Returns(ServiceAccountView, 'Rename a service account of a project, or disable and enable it')
  update(
    @Param('id') id: string,
    @Param('accountId') accountId: string,
    @Body() body: ServiceAccountDto,
    @CurrentSession() session: SignedIn,
  ): Promise<ServiceAccountView> {
    return this.accounts.update(id, accountId, body, session);
  }
}
