import { Body, Delete, Get, Param, Patch, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Session } from '../../accounts/session.types.js';
import { SessionsService } from '../../accounts/sessions.service.js';
import { SignInService } from '../../accounts/sign-in.service.js';
import { UsersService } from '../../accounts/users.service.js';
import { PlaygroundKeysService } from '../../auth/playground-keys.service.js';
import { BrowserSessionsService } from '../session/browser-sessions.service.js';
import { ConsoleController, Returns, ReturnsNothing } from '../session/console-controller.js';
import { CurrentSession, type SignedIn } from '../session/current-session.js';
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
@ConsoleController('account', 'Account', 'member')
export class AccountController {
  constructor(
    private readonly users: UsersService,
    private readonly signIn: SignInService,
    private readonly sessions: SessionsService,
    private readonly playgroundKeys: PlaygroundKeysService,
    private readonly browserSessions: BrowserSessionsService,
  ) {}

  @Get()
  @Returns(AccountView, 'Your account')
  get(@CurrentSession() { user }: Session): AccountView {
    return toAccountView(user);
  }

  @Patch()
  @Returns(AccountView, 'Change your name')
  async update(@CurrentSession() { user, actor }: SignedIn, @Body() { name }: AccountUpdate): Promise<AccountView> {
    return toAccountView(await this.users.update(user.id, { name }, actor));
  }

  @Post('password')
  @ReturnsNothing('Change your password', { description: 'Your other sessions end.' })
  async changePassword(
    @CurrentSession() { user, id, actor }: SignedIn,
    @Body() { currentPassword, newPassword }: PasswordChange,
  ): Promise<void> {
    await this.signIn.changePassword(user, { current: currentPassword, next: newPassword }, id, actor);
    await this.playgroundKeys.end(user.id);
  }

  @Get('sessions')
  @Returns([AccountSessionView], 'Your sessions')
  async listSessions(@CurrentSession() { user, id }: Session): Promise<AccountSessionView[]> {
    return (await this.sessions.list(user)).map((session) => toAccountSessionView(session, id));
  }

  @Delete('sessions')
  @Returns(ClosedSessionsView, 'Sign out everywhere')
  async closeSessions(
    @CurrentSession() { user, id, actor }: SignedIn,
    @Query() { keepCurrent }: SessionsToClose,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ClosedSessionsView> {
    const closed = await this.sessions.closeAll(user, actor, keepCurrent ? id : undefined);
    await this.playgroundKeys.end(user.id);
    if (!keepCurrent) this.browserSessions.forget(response);
    return { closed };
  }

  @Delete('sessions/:id')
  @ReturnsNothing('Sign out one session')
  async closeSession(
    @CurrentSession() session: SignedIn,
    @Param('id') id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.sessions.close(session.user, id, session.actor, 'session.close');
    await this.playgroundKeys.end(session.user.id);
    if (id === session.id) this.browserSessions.forget(response);
  }
}
