import { Body, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import type { Session } from '../../accounts/user.types.js';
import { ConsoleController, Returns } from '../session/console.guard.js';
import { CurrentSession, type SignedIn } from '../session/current-session.js';
import { ConsoleTokensService } from './console-tokens.service.js';
import {
  CreatedTokenView,
  CreateTokenDto,
  PermissionView,
  permissionViews,
  TokenPageView,
  TokensQuery,
  TokenView,
  UpdateTokenDto,
} from './token.view.js';

@ConsoleController('tokens', 'Access tokens', ['tokens.write', 'own'])
export class TokensController {
  constructor(private readonly tokens: ConsoleTokensService) {}

  @Get()
  @Returns(TokenPageView, 'Your access tokens; also those of a service account, and for admins all')
  list(@Query() query: TokensQuery, @CurrentSession() session: Session): Promise<TokenPageView> {
    return this.tokens.list(query, session);
  }

  @Post()
  @Returns(CreatedTokenView, 'Create an access token for `/api`; only the response contains it', {
    status: 201,
    description: 'In the console within 15 minutes of the sign-in. A token cannot create one that can do more.',
  })
  create(@Body() body: CreateTokenDto, @CurrentSession() session: SignedIn): Promise<CreatedTokenView> {
    return this.tokens.create(body, session);
  }

  @Get(':id')
  @Returns(TokenView, 'One access token')
  get(@Param('id') id: string, @CurrentSession() session: Session): Promise<TokenView> {
    return this.tokens.get(id, session);
  }

  @Patch(':id')
  @Returns(TokenView, 'Rename an access token, or change the addresses that can use it')
  update(
    @Param('id') id: string,
    @Body() body: UpdateTokenDto,
    @CurrentSession() session: SignedIn,
  ): Promise<TokenView> {
    return this.tokens.update(id, body, session);
  }

  @Delete(':id')
  @Returns(TokenView, 'Revoke an access token permanently; effective at once')
  revoke(@Param('id') id: string, @CurrentSession() session: SignedIn): Promise<TokenView> {
    return this.tokens.revoke(id, session);
  }
}

@ConsoleController('permissions', 'Access tokens', 'signed-in')
export class PermissionsController {
  @Get()
  @Returns([PermissionView], 'Every permission, and the roles that have it')
  list(): PermissionView[] {
    return permissionViews();
  }
}
