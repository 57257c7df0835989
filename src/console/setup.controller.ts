import { Body, Get, Post, Req, Res } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';
import type { Request, Response } from 'express';
import { SetupService } from '../accounts/setup.service.js';
import { ConsoleController, Returns } from './session/console.guard.js';
import { BrowserSessionsService, signInOrigin } from './session/current-session.js';
import { SessionView, SessionViewService } from './session/session-view.service.js';
import { IsUserName, NewPassword } from './shared/fields.js';

class SetupView {
  @ApiProperty({ description: 'There is no administrator yet.' })
  needed!: boolean;
}

class SetupRequest {
  @ApiProperty({
    description:
      'From the setup link (printed when the gateway starts, otherwise in `DATA_DIR/setup-link`); it works once.',
  })
  @IsString()
  @Length(1, 200)
  token!: string;

  @ApiProperty({ example: 'you@example.com' })
  @IsString()
  @Length(1, 254)
  email!: string;

  @ApiProperty()
  @IsUserName()
  name!: string;

  @NewPassword()
  password!: string;
}

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
