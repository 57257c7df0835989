import { Body, Delete, Get, Post, Req, Res } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length, Matches } from 'class-validator';
import type { Request, Response } from 'express';
import { SessionsService } from '../../accounts/sessions.service.js';
import { SignInService } from '../../accounts/sign-in.service.js';
import type { Actor } from '../../audit/audit.types.js';
import { PlaygroundKeysService } from '../../auth/playground-keys.service.js';
import { NO_CONTROL_CHARACTERS } from '../shared/fields.js';
import { ConsoleController, Returns, ReturnsNothing } from './console.guard.js';
import { BrowserSessionsService, CurrentActor, signInOrigin } from './current-session.js';
import { SessionView, SessionViewService } from './session-view.service.js';

class SignInRequest {
  @ApiProperty({ example: 'you@example.com' })
  @IsString()
  @Length(1, 254)
  @Matches(NO_CONTROL_CHARACTERS, { message: 'email must not contain control characters' })
  email!: string;

  @ApiProperty({ format: 'password' })
  @IsString()
  @Length(1, 1024)
  password!: string;
}

@ConsoleController('session', 'Session', 'anyone')
export class SessionController {
  constructor(
    private readonly signIn: SignInService,
    private readonly sessions: SessionsService,
    private readonly playgroundKeys: PlaygroundKeysService,
    private readonly browserSessions: BrowserSessionsService,
    private readonly views: SessionViewService,
  ) {}

  @Get()
  @Returns(SessionView, 'Who is signed in')
  get(@Req() request: Request): Promise<SessionView> {
    return this.views.of(request.session ?? null, request);
  }

  @Post()
  @Returns(SessionView, 'Sign in', { description: 'Too many wrong attempts: 429 with `Retry-After`.' })
  async open(
    @Body() { email, password }: SignInRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionView> {
    const opened = await this.signIn.signIn(email, password, signInOrigin(request));
    return this.views.of(await this.browserSessions.begin(response, opened), request);
  }

  @Delete()
  @ReturnsNothing('Sign out')
  async close(
    @CurrentActor() actor: Actor,
    @Req() { session }: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    this.browserSessions.forget(response);
    if (!session) return;
    await this.sessions.close(session.user, session.id, actor, 'session.sign_out');
    await this.playgroundKeys.end(session.user.id);
  }
}
