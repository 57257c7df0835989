import { Body, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Session } from '../../accounts/session.types.js';
import { SessionsService } from '../../accounts/sessions.service.js';
import { SignInService } from '../../accounts/sign-in.service.js';
import { UsersService } from '../../accounts/users.service.js';
import type { Actor } from '../../audit/audit.types.js';
import { PlaygroundKeysService } from '../../auth/playground-keys.service.js';
import { BrowserSessionsService } from '../session/browser-sessions.service.js';
import { ConsoleController } from '../session/console-controller.js';
import { CurrentActor, CurrentSession } from '../session/current-session.js';
import { Role } from '../session/role.js';
import { toAccountSessionView, toAccountView } from './account.view.js';
import {
  AccountSessionView,
  AccountUpdate,
  AccountView,
  ClosedSessionsView,
  PasswordChange,
  SessionsToClose,
} from './dto/account.dto.js';

/** Actions of people on their own account. */
@ConsoleController('account', 'Account')
@Role('member')
export class AccountController {
  constructor(
    private readonly users: UsersService,
    private readonly signIn: SignInService,
    private readonly sessions: SessionsService,
    private readonly playgroundKeys: PlaygroundKeysService,
    private readonly browserSessions: BrowserSessionsService,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Your account' })
  @ApiOkResponse({ type: AccountView })
  get(@CurrentSession() { user }: Session): AccountView {
    return toAccountView(user);
  }

  @Patch()
  @ApiOperation({ summary: 'Change your name' })
  @ApiOkResponse({ type: AccountView })
  async update(
    @CurrentSession() { user }: Session,
    @CurrentActor() actor: Actor,
    @Body() { name }: AccountUpdate,
  ): Promise<AccountView> {
    return toAccountView(await this.users.update(user.id, { name }, actor));
  }

  @Post('password')
  @HttpCode(204)
  @ApiOperation({ summary: 'Change your password', description: 'Your other sessions end.' })
  @ApiNoContentResponse()
  async changePassword(
    @CurrentSession() { user, id }: Session,
    @CurrentActor() actor: Actor,
    @Body() { currentPassword, newPassword }: PasswordChange,
  ): Promise<void> {
    await this.signIn.changePassword(user, { current: currentPassword, next: newPassword }, id, actor);
    await this.playgroundKeys.end(user.id);
  }

  @Get('sessions')
  @ApiOperation({ summary: 'Your sessions' })
  @ApiOkResponse({ type: [AccountSessionView] })
  async listSessions(@CurrentSession() { user, id }: Session): Promise<AccountSessionView[]> {
    return (await this.sessions.list(user)).map((session) => toAccountSessionView(session, id));
  }

  @Delete('sessions')
  @ApiOperation({ summary: 'Sign out everywhere' })
  @ApiOkResponse({ type: ClosedSessionsView })
  async closeSessions(
    @CurrentSession() { user, id }: Session,
    @CurrentActor() actor: Actor,
    @Query() { keepCurrent }: SessionsToClose,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ClosedSessionsView> {
    const closed = await this.sessions.closeAll(user, actor, keepCurrent ? id : undefined);
    await this.playgroundKeys.end(user.id);
    if (!keepCurrent) this.browserSessions.forget(response);
    return { closed };
  }

  @Delete('sessions/:id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Sign out one session' })
  @ApiNoContentResponse()
  async closeSession(
    @CurrentSession() session: Session,
    @CurrentActor() actor: Actor,
    @Param('id') id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.sessions.close(session.user, id, actor, 'session.close');
    await this.playgroundKeys.end(session.user.id);
    if (id === session.id) this.browserSessions.forget(response);
  }
}
