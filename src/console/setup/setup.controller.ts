import { Body, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SetupService } from '../../accounts/setup.service.js';
import { BrowserSessionsService } from '../session/browser-sessions.service.js';
import { ConsoleController, Returns } from '../session/console-controller.js';
import { SessionView } from '../session/dto/session-view.dto.js';
import { signInOrigin } from '../session/request-origin.js';
import { SessionViewService } from '../session/session-view.service.js';
import { SetupRequest, SetupView } from './dto/setup.dto.js';

@ConsoleController('setup', 'Session', 'anyone')
export class SetupController {
  constructor(
    private readonly setup: SetupService,
    private readonly browserSessions: BrowserSessionsService,
    private readonly views: SessionViewService,
  ) {}

  @Get()
  @Returns(SetupView, 'Whether setup is open')
  async get(): Promise<SetupView> {
    return { needed: await this.setup.isNeeded() };
  }

  @Post()
  @Returns(SessionView, 'Create the first administrator, and sign in')
  async complete(
    @Body() { token, ...admin }: SetupRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionView> {
    const opened = await this.setup.complete(token, admin, signInOrigin(request));
    return this.views.of(await this.browserSessions.begin(response, opened), request);
  }
}
