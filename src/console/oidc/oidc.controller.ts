import { randomBytes } from 'node:crypto';
import { Get, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiFoundResponse, ApiOperation } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { BrowserSessionsService } from '../session/browser-sessions.service.js';
import { ConsoleController, Returns } from '../session/console-controller.js';
import { clearCookie, readCookie, setCookie } from '../session/cookies.js';
import { signInOrigin } from '../session/request-origin.js';
import { LastSignInFailureView, OidcStartQuery } from './dto/oidc.dto.js';
import { OidcRefusalFilter, SIGN_IN_COOKIE } from './oidc-refusal.filter.js';
import { OidcSignInService } from './oidc-sign-in.service.js';
import { ownPath } from './own-path.js';
import { fromCookie } from './sign-in-failure.js';

const BROWSER_TOKEN = /^[\w-]{43}$/;

@ConsoleController('oidc', 'Single sign-on', 'anyone')
export class OidcController {
  constructor(
    private readonly signIn: OidcSignInService,
    private readonly browsers: BrowserSessionsService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  @Get('start')
  @UseFilters(OidcRefusalFilter)
  @ApiOperation({ summary: 'Start a single sign-on' })
  @ApiFoundResponse({ description: "To the provider; on failure, to the console's page with the reason." })
  async start(@Query() { next }: OidcStartQuery, @Req() request: Request, @Res() response: Response): Promise<void> {
    const token = this.browserToken(request) ?? randomBytes(32).toString('base64url');
    const url = await this.signIn.begin(token, ownPath(next), request.ip ?? null);
    setCookie('gateway_oidc', token, SIGN_IN_COOKIE, response, this.settings);
    response.redirect(302, url);
  }

  @Get('callback')
  @UseFilters(OidcRefusalFilter)
  @ApiOperation({ summary: 'The redirect address for the provider' })
  @ApiFoundResponse({ description: 'To the console if signed in; otherwise to the page with the reason.' })
  async callback(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { searchParams } = new URL(request.originalUrl, 'http://own.invalid');
    const { opened, next } = await this.signIn.finish(searchParams, this.browserToken(request), signInOrigin(request));
    await this.browsers.begin(response, opened);
    clearCookie('gateway_oidc_failure', response, this.settings);
    response.redirect(302, next);
  }

  @Get('failure')
  @Returns(LastSignInFailureView, "Why this browser's last sign-in failed")
  failure(@Req() request: Request): LastSignInFailureView {
    const cookie = readCookie('gateway_oidc_failure', request, this.settings);
    return { failure: cookie === null ? null : fromCookie(cookie) };
  }

  /** A browser can have several running sign-ins, one per tab. */
  private browserToken(request: Request): string | null {
    const token = readCookie('gateway_oidc', request, this.settings);
    return token !== null && BROWSER_TOKEN.test(token) ? token : null;
  }
}
