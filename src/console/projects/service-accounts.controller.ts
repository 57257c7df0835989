import { Body, Get, Injectable, Param, Patch, Post } from '@nestjs/common';
import { ServiceAccountsService } from '../../accounts/service-accounts.service.js';
import type { Session, User } from '../../accounts/user.types.js';
import { ApiKeysService } from '../../auth/api-keys.service.js';
import { ClockService } from '../../database/clock.service.js';
import { utcPeriodOf } from '../../limits/values/limit-values.js';
import { UsageTotalsService } from '../../usage/usage-totals.service.js';
import { ConsoleController, Returns } from '../session/console.guard.js';
import { CurrentSession, type SignedIn } from '../session/current-session.js';
import { Access } from '../session/route-access.js';
import { toSpending } from '../shared/views.js';
import { ProjectAccessService } from './console-projects.service.js';
import { ProjectNameDto, ServiceAccountDto, ServiceAccountView } from './project.view.js';

/** Service accounts of projects, within the rights of the signed-in person. */
@Injectable()
export class ConsoleServiceAccountsService {
  constructor(
    private readonly accounts: ServiceAccountsService,
    private readonly access: ProjectAccessService,
    private readonly keys: ApiKeysService,
    private readonly totals: UsageTotalsService,
    private readonly clock: ClockService,
  ) {}

  async list(projectId: string, session: Session): Promise<ServiceAccountView[]> {
    await this.access.assertMay(projectId, session, 'projects.read');
    return this.toViews(await this.accounts.of(projectId));
  }

  async get(projectId: string, id: string, session: Session): Promise<ServiceAccountView> {
    await this.access.assertMay(projectId, session, 'projects.read');
    return this.toView(await this.accounts.get(projectId, id));
  }

  async create(projectId: string, name: string, session: SignedIn): Promise<ServiceAccountView> {
    await this.access.assertMay(projectId, session, 'projects.write');
    return this.toView(await this.accounts.create(projectId, name, session.actor));
  }

  async update(
    projectId: string,
    id: string,
    change: ServiceAccountDto,
    session: SignedIn,
  ): Promise<ServiceAccountView> {
    await this.access.assertMay(projectId, session, 'projects.write');
    return this.toView(await this.accounts.update(projectId, id, change, session.actor));
  }

  private async toView(user: User): Promise<ServiceAccountView> {
    const [view] = await this.toViews([user]);
    if (!view) throw new Error('every service account has a view');
    return view;
  }

  private async toViews(users: readonly User[]): Promise<ServiceAccountView[]> {
    const ids = users.map(({ id }) => id);
    const [keys, spent] = await Promise.all([
      this.keys.countActiveByUser(ids),
      this.totals.byUser(ids, utcPeriodOf('month', this.clock.date()).from),
    ]);
    return users.map(({ id, name, permissions, disabledAt, createdAt }) => ({
      ...{ id, name, permissions, disabled: disabledAt !== null, keys: keys.get(id) ?? 0, createdAt },
      spentThisMonth: toSpending(spent.get(id)),
    }));
  }
}

@ConsoleController('projects/:id/service-accounts', 'Projects', ['projects.write', 'project'])
export class ServiceAccountsController {
  constructor(private readonly accounts: ConsoleServiceAccountsService) {}

  @Get()
  @Access(['projects.read', 'project'])
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

  @Get(':accountId')
  @Access(['projects.read', 'project'])
  @Returns(ServiceAccountView, 'One service account of a project')
  get(
    @Param('id') id: string,
    @Param('accountId') accountId: string,
    @CurrentSession() session: Session,
  ): Promise<ServiceAccountView> {
    return this.accounts.get(id, accountId, session);
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
