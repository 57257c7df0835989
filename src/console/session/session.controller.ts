import { Body, Delete, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SessionsService } from '../../accounts/sessions.service.js';
import { SignInService } from '../../accounts/sign-in.service.js';
import type { Actor } from '../../audit/audit.types.js';
import { PlaygroundKeysService } from '../../auth/playground-keys.service.js';
import { BrowserSessionsService } from './browser-sessions.service.js';
import { ConsoleController, Returns, ReturnsNothing } from './console-controller.js';
import { CurrentActor } from './current-session.js';
import { SessionView } from './dto/session-view.dto.js';
import { SignInRequest } from './dto/sign-in.dto.js';
import { signInOrigin } from './request-origin.js';
import { SessionViewService } from './session-view.service.js';

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
