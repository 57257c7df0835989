import { Body, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PasswordLinksService } from '../../accounts/password-links.service.js';
import { PlaygroundKeysService } from '../../auth/playground-keys.service.js';
import { BrowserSessionsService } from '../session/browser-sessions.service.js';
import { ConsoleController, Returns } from '../session/console-controller.js';
import { SessionView } from '../session/dto/session-view.dto.js';
import { signInOrigin } from '../session/request-origin.js';
import { SessionViewService } from '../session/session-view.service.js';
import { PasswordLinkCheck, PasswordLinkOwnerView, PasswordLinkUse } from './dto/password-link.dto.js';

/** One-time links to set a password. Their tokens are only in bodies, because URLs end up in logs. */
@ConsoleController('password-links', 'Session', 'anyone')
export class PasswordLinksController {
  constructor(
    private readonly links: PasswordLinksService,
    private readonly playgroundKeys: PlaygroundKeysService,
    private readonly browserSessions: BrowserSessionsService,
    private readonly views: SessionViewService,
  ) {}

  @Post('check')
  @Returns(PasswordLinkOwnerView, 'The owner of a one-time link')
  async check(@Body() { token }: PasswordLinkCheck, @Req() request: Request): Promise<PasswordLinkOwnerView> {
    const { email, name, hasPassword } = await this.links.check(token, signInOrigin(request));
    return { email, name, hasPassword };
  }

  @Post('use')
  @Returns(SessionView, 'Set the password, and sign in')
  async use(
    @Body() { token, password }: PasswordLinkUse,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionView> {
    const opened = await this.links.use(token, password, signInOrigin(request));
    await this.playgroundKeys.end(opened.session.user.id);
    return this.views.of(await this.browserSessions.begin(response, opened), request);
  }
}
