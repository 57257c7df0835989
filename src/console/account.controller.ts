import { Body, Delete, Get, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsOptional, IsString, Length } from 'class-validator';
import type { Response } from 'express';
import { SessionsService } from '../accounts/sessions.service.js';
import { SignInService } from '../accounts/sign-in.service.js';
import { type BrowserSession, labelOf, type Session, type User } from '../accounts/user.types.js';
import { UsersService } from '../accounts/users.service.js';
import { PlaygroundKeysService } from '../auth/playground-keys.service.js';
import { UsageError } from '../common/usage.error.js';
import { ConsoleController, Returns, ReturnsNothing } from './session/console.guard.js';
import { BrowserSessionsService, CurrentSession, type SignedIn } from './session/current-session.js';
import { IsUserName, NewPassword } from './shared/fields.js';
import { PersonView, TextOrNull } from './shared/views.js';

class AccountView extends PersonView {
  @ApiProperty({ enum: ['local', 'oidc', 'service'] })
  source!: 'local' | 'oidc' | 'service';

  @ApiProperty({ description: 'Whether the account has a password.' })
  hasPassword!: boolean;

  @ApiProperty()
  createdAt!: Date;
}

class AccountUpdate {
  @ApiProperty()
  @IsUserName()
  name!: string;
}

class PasswordChange {
  @ApiProperty({ format: 'password' })
  @IsString()
  @Length(1, 1024)
  currentPassword!: string;

  @NewPassword()
  newPassword!: string;
}

class AccountSessionView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ description: 'The current session.' })
  current!: boolean;

  @ApiProperty({ enum: ['password', 'oidc', 'setup'] })
  method!: 'password' | 'oidc' | 'setup';

  @TextOrNull()
  address!: string | null;

  @TextOrNull()
  userAgent!: string | null;

  @ApiProperty()
  createdAt!: Date;

  @ApiProperty({ description: 'Accurate to the minute.' })
  lastSeenAt!: Date;

  @ApiProperty({ description: 'The latest time at which it ends.' })
  expiresAt!: Date;
}

class SessionsToClose {
  @ApiProperty({ type: Boolean, required: false, default: false, description: 'Keep the current session.' })
  @IsOptional()
  @Transform(({ value }) => (value === 'true' ? true : value === 'false' ? false : value))
  @IsBoolean()
  keepCurrent = false;
}

class ClosedSessionsView {
  @ApiProperty({ description: 'The number of ended sessions.' })
  closed!: number;
}

/** Actions of people on their own account. */
@ConsoleController('account', 'Account', ['account', 'own'])
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
    if (user.email === null) throw new UsageError('A service account has no password.');
    await this.signIn.changePassword(
      { ...user, email: user.email },
      { current: currentPassword, next: newPassword },
      id,
      actor,
    );
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

function toAccountView(user: User): AccountView {
  const { id, name, role, source, hasPassword, createdAt } = user;
  return { id, email: labelOf(user), name, role, source, hasPassword, createdAt };
}

function toAccountSessionView(session: BrowserSession, currentId: string): AccountSessionView {
  const { id, method, address, userAgent, createdAt, lastSeenAt, expiresAt } = session;
  return { id, method, address, userAgent, createdAt, lastSeenAt, expiresAt, current: id === currentId };
}
