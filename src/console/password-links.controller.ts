import { Body, Post, Req, Res } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';
import type { Request, Response } from 'express';
import { PasswordLinksService } from '../accounts/password-links.service.js';
import { PlaygroundKeysService } from '../auth/playground-keys.service.js';
import { ConsoleController, Returns } from './session/console.guard.js';
import { BrowserSessionsService, signInOrigin } from './session/current-session.js';
import { SessionView, SessionViewService } from './session/session-view.service.js';
import { NewPassword } from './shared/fields.js';

class PasswordLinkCheck {
  @ApiProperty({ description: "The part of the link's URL after the `#`." })
  @IsString()
  @Length(1, 200)
  token!: string;
}

class PasswordLinkUse extends PasswordLinkCheck {
  @NewPassword()
  password!: string;
}

class PasswordLinkOwnerView {
  @ApiProperty()
  email!: string;

  @ApiProperty({ description: 'May be empty.' })
  name!: string;

  @ApiProperty({ description: 'False for an invitation, without a password yet.' })
  hasPassword!: boolean;
}

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
