import { Body, Get, Param, Patch, Post, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { type PasswordLink, PasswordLinksService } from '../../accounts/password-links.service.js';
import { UsersService } from '../../accounts/users.service.js';
import type { Actor } from '../../audit/audit.types.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { ConsoleController, Returns } from '../session/console-controller.js';
import { CurrentActor } from '../session/current-session.js';
import { consoleUrl } from '../session/request-origin.js';
import { ConsoleUsersService } from './console-users.service.js';
import { CreateUserDto, UpdateUserDto } from './dto/user-requests.dto.js';
import { CreatedUserView, PasswordLinkView, UserPageView, UserView } from './dto/user-view.dto.js';
import { UsersQuery } from './dto/users-query.dto.js';

@ConsoleController('users', 'Users', 'admin')
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly links: PasswordLinksService,
    private readonly views: ConsoleUsersService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  @Get()
  @Returns(UserPageView, 'Users, page by page')
  list(@Query() query: UsersQuery): Promise<UserPageView> {
    return this.views.list(query);
  }

  @Get(':id')
  @Returns(UserView, 'One user')
  async get(@Param('id') id: string): Promise<UserView> {
    return this.views.view(await this.users.get(id));
  }

  @Post()
  @Returns(CreatedUserView, 'Invite a person, or create a service account', { status: 201 })
  async create(
    @Body() body: CreateUserDto,
    @CurrentActor() actor: Actor,
    @Req() request: Request,
  ): Promise<CreatedUserView> {
    const user = await this.users.create(body, actor);
    const hasLink = user.kind === 'person' && this.settings.signIn.local;
    const link = hasLink ? this.toLinkView(await this.links.create(user.id, actor), request) : null;
    return { user: await this.views.view(user), link };
  }

  @Patch(':id')
  @Returns(UserView, 'Rename a user, change the role, disable or enable')
  async update(@Param('id') id: string, @Body() body: UpdateUserDto, @CurrentActor() actor: Actor): Promise<UserView> {
    return this.views.view(await this.users.update(id, body, actor));
  }

  @Post(':id/link')
  @Returns(PasswordLinkView, 'Create a one-time link to a new password', {
    status: 201,
    description: 'Earlier links of the user stop working.',
  })
  async createLink(
    @Param('id') id: string,
    @CurrentActor() actor: Actor,
    @Req() request: Request,
  ): Promise<PasswordLinkView> {
    return this.toLinkView(await this.links.create(id, actor), request);
  }

  /** The token is in the fragment, which browsers never send to a server. */
  private toLinkView({ token, expiresAt }: PasswordLink, request: Request): PasswordLinkView {
    return { url: `${consoleUrl(request, this.settings)}/password#${token}`, expiresAt };
  }
}
