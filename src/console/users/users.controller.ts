import { Body, Get, Injectable, Param, Patch, Post, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { ForgottenUsersService } from '../../accounts/forgotten-users.service.js';
import { type PasswordLink, PasswordLinksService } from '../../accounts/password-links.service.js';
import type { Rights } from '../../accounts/permissions.js';
import { ProjectsService } from '../../accounts/projects.service.js';
import type { User } from '../../accounts/user.types.js';
import { UsersService } from '../../accounts/users.service.js';
import type { Actor } from '../../audit/audit.types.js';
import { ApiKeysService } from '../../auth/api-keys.service.js';
import { PlansService } from '../../billing/plans.service.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { ClockService } from '../../database/clock.service.js';
import { utcPeriodOf } from '../../limits/values/limit-values.js';
import { UsageTotalsService } from '../../usage/usage-totals.service.js';
import { ConsoleController, Returns } from '../session/console.guard.js';
import { CurrentActor, CurrentSession, consoleUrl, type SignedIn } from '../session/current-session.js';
import { Access } from '../session/route-access.js';
import { listPage } from '../shared/lists.js';
import { insufficientPermissions } from '../shared/validation.js';
import { toProjectRef } from '../shared/views.js';
import {
  CreatedUsersView,
  CreatedUserView,
  CreateUserDto,
  CreateUsersDto,
  PasswordLinkView,
  toUserView,
  UpdateUserDto,
  UserPageView,
  UsersQuery,
  UserView,
} from './user.view.js';
import { UserBatchService } from './user-batch.service.js';
import { type ListedUser, UserListService } from './user-list.service.js';

/** Users with the details that administrators need: a few queries per page. */
@Injectable()
export class ConsoleUsersService {
  constructor(
    private readonly lists: UserListService,
    private readonly links: PasswordLinksService,
    private readonly projects: ProjectsService,
    private readonly plans: PlansService,
    private readonly keys: ApiKeysService,
    private readonly totals: UsageTotalsService,
    private readonly clock: ClockService,
  ) {}

  async list(query: UsersQuery): Promise<UserPageView> {
    const { cursor, limit } = query;
    const found = await this.lists.page(query, limit + 1);
    const toViews = (listed: readonly ListedUser[]) => this.withFacts(listed.map(({ user }) => user));
    return listPage({ cursor, limit, found, toViews, count: () => this.lists.count(query) });
  }

  async view(user: User): Promise<UserView> {
    const [view] = await this.withFacts([user]);
    if (!view) throw new Error('a user has a view');
    return view;
  }

  /** In their order. */
  async withFacts(users: readonly User[]): Promise<UserView[]> {
    const ids = users.map(({ id }) => id);
    const [plans, keys, totals, invited, projects] = await Promise.all([
      this.plans.currentOf(ids),
      this.keys.countActiveByUser(ids),
      this.totals.byUser(ids, utcPeriodOf('month', this.clock.date()).from),
      this.links.invitedAmong(ids),
      this.projects.byId(users.flatMap(({ projectId }) => projectId ?? [])),
    ]);
    return users.map((user) => {
      const plan = plans.get(user.id);
      if (!plan) throw new Error('every user has a plan');
      const isInvited = user.source === 'local' && !user.hasPassword && invited.has(user.id);
      const project = toProjectRef(projects.get(user.projectId ?? ''));
      const spent = totals.get(user.id);
      return toUserView(user, { plan, keys: keys.get(user.id) ?? 0, spent, isInvited, project });
    });
  }
}

@ConsoleController('users', 'Users', ['users.write', 'all'])
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly forgotten: ForgottenUsersService,
    private readonly links: PasswordLinksService,
    private readonly views: ConsoleUsersService,
    private readonly batches: UserBatchService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  @Get()
  @Access(['users.read', 'all'])
  @Returns(UserPageView, 'Users, page by page')
  list(@Query() query: UsersQuery): Promise<UserPageView> {
    return this.views.list(query);
  }

  @Get(':id')
  @Access(['users.read', 'all'])
  @Returns(UserView, 'One user')
  async get(@Param('id') id: string): Promise<UserView> {
    return this.views.view(await this.users.get(id));
  }

  @Post()
  @Returns(CreatedUserView, 'Invite a person, or create a service account', { status: 201 })
  async create(
    @Body() body: CreateUserDto,
    @CurrentSession() { rights, actor }: SignedIn,
    @Req() request: Request,
  ): Promise<CreatedUserView> {
    if (body.role === 'admin') assertAdministrator(rights);
    const user = await this.users.create(body, actor);
    const hasLink = user.kind === 'person' && this.settings.signIn.local;
    const link = hasLink ? this.toLinkView(await this.links.create(user.id, actor), request) : null;
    return { user: await this.views.view(user), link };
  }

  @Post('batch')
  @Returns(CreatedUsersView, 'Invite up to 200 people: all of them or none', {
    status: 201,
    description: 'An error names the field of each faulty one, such as `users[3].email`.',
  })
  async createAll(
    @Body() { users: rows, dryRun }: CreateUsersDto,
    @CurrentSession() { rights, actor }: SignedIn,
    @Req() request: Request,
  ): Promise<CreatedUsersView> {
    const isGranting = rows.some(({ planId }) => planId !== undefined);
    if (isGranting && !rights.mayAll('plans.write')) throw insufficientPermissions('plans.write');
    if (rows.some(({ role }) => role === 'admin')) assertAdministrator(rights);
    if (dryRun) return { users: [], faults: await this.batches.faults(rows) };
    const invited = await this.batches.create(rows, actor);
    const views = await this.views.withFacts(invited.map(({ user }) => user));
    const users = views.map((user, at) => {
      const link = invited[at]?.link;
      return { user, link: link ? this.toLinkView(link, request) : null };
    });
    return { users, faults: [] };
  }

  @Patch(':id')
  @Returns(UserView, 'Rename a user, change e-mail address or role, disable or enable')
  async update(
    @Param('id') id: string,
    @Body() body: UpdateUserDto,
    @CurrentSession() { rights, actor }: SignedIn,
  ): Promise<UserView> {
    for (const permission of body.permissions ?? []) {
      if (!rights.mayAll(permission)) throw insufficientPermissions(permission);
    }
    const { role, email } = await this.users.get(id);
    const isRenamed = body.email !== undefined && body.email !== email;
    if (role === 'admin' ? isRenamed : body.role === 'admin') assertAdministrator(rights);
    return this.views.view(await this.users.update(id, body, actor));
  }

  @Post(':id/forget')
  @Returns(UserView, 'Replace e-mail address and name by a pseudonym, and end keys and sessions; cannot be undone')
  async forget(@Param('id') id: string, @CurrentActor() actor: Actor): Promise<UserView> {
    const { id: known } = await this.users.get(id);
    return this.views.view(await this.forgotten.forget(known, actor));
  }

  @Post(':id/link')
  @Returns(PasswordLinkView, 'Create a one-time link to a new password', {
    status: 201,
    description: 'Earlier links of the user stop working.',
  })
  async createLink(
    @Param('id') id: string,
    @CurrentSession() { rights, actor }: SignedIn,
    @Req() request: Request,
  ): Promise<PasswordLinkView> {
    if ((await this.users.get(id)).role === 'admin') assertAdministrator(rights);
    return this.toLinkView(await this.links.create(id, actor), request);
  }

  /** The token is in the fragment, which browsers never send to a server. */
  private toLinkView({ token, expiresAt }: PasswordLink, request: Request): PasswordLinkView {
    return { url: `${consoleUrl(request, this.settings)}/password#${token}`, expiresAt };
  }
}

/** Who makes an administrator, or can sign in as one by a link, would have every permission. */
function assertAdministrator({ missingOfAdministrator: missing }: Rights): void {
  if (missing !== null) throw insufficientPermissions(missing);
}
