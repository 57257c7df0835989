import { randomBytes } from 'node:crypto';
import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  Get,
  Logger,
  Query,
  Req,
  Res,
  UseFilters,
} from '@nestjs/common';
import { ApiFoundResponse, ApiOperation, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import type { Request, Response } from 'express';
import { OidcRefusal } from '../../accounts/oidc.types.js';
import { GatewayError } from '../../common/gateway.error.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { noteError } from '../../http/exception.filter.js';
import { ConsoleController, Returns } from '../session/console.guard.js';
import {
  BrowserSessionsService,
  clearCookie,
  readCookie,
  setCookie,
  signInOrigin,
} from '../session/current-session.js';
import { ViewOrNull } from '../shared/views.js';
import { OidcSignInService } from './oidc-sign-in.service.js';

/** How long the cookies of a sign-in last. */
const SIGN_IN_COOKIE = { maxAge: 10 * 60_000 };

/** Shows every failed sign-in as a page, because the client is a browser that follows redirects. */
@Catch()
class OidcRefusalFilter implements ExceptionFilter {
  private readonly logger = new Logger('SingleSignOn');

  constructor(@InjectSettings() private readonly settings: Settings) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const refusal = exception instanceof OidcRefusal ? exception : new OidcRefusal('failed');
    const { reason, detail } = refusal;
    const requestId = request.context.id;
    if (reason === 'failed' && !(exception instanceof GatewayError)) this.logger.error(exception, { requestId });
    else this.logger.warn('A sign-in failed.', { requestId, reason, ...(detail !== null && { detail }) });
    const error = { message: reason, type: 'permission_error', param: null, code: reason } as const;
    noteError(request, new GatewayError(403, error));
    const failure = toFailure(refusal, requestId);
    setCookie('gateway_oidc_failure', toCookie(failure), SIGN_IN_COOKIE, response, this.settings);
    response.redirect(302, failurePath(failure));
  }
}

class OidcStartQuery {
  @ApiPropertyOptional({ description: 'The path of the console to show after the sign-in.', example: '/keys' })
  @IsOptional()
  @IsString()
  next?: string;
}

class SignInFailureView {
  @ApiProperty({ example: 'not_in_group' })
  reason!: string;

  @ApiProperty({
    type: [String],
    description: 'The claim that the provider did not send, or the groups of which one is required.',
  })
  missing!: string[];

  @ApiProperty({ example: 'req_9fQ2nM3xK8sTbW1c' })
  requestId!: string;
}

class LastSignInFailureView {
  @ViewOrNull(SignInFailureView, 'Null if there was none recently.')
  failure!: SignInFailureView | null;
}

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

/** A cookie holds 4 kB. */
const MAX_NAMES = 10;
const MAX_NAME_LENGTH = 100;

export function toFailure({ reason, missing }: OidcRefusal, requestId: string): SignInFailureView {
  return { reason, missing: missing.slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_NAME_LENGTH)), requestId };
}

/** The page for a failed sign-in. Names are passed in a cookie, because anyone could change them in a URL. */
export function failurePath({ reason, requestId }: SignInFailureView): string {
  return `/sign-in-error?${new URLSearchParams({ reason, request: requestId })}`;
}

export function toCookie(failure: SignInFailureView): string {
  return Buffer.from(JSON.stringify(failure)).toString('base64url');
}

/** Null if the cookie is not one of ours. */
export function fromCookie(cookie: string): SignInFailureView | null {
  try {
    const failure: unknown = JSON.parse(Buffer.from(cookie, 'base64url').toString());
    return isFailure(failure) ? failure : null;
  } catch {
    return null;
  }
}

function isFailure(value: unknown): value is SignInFailureView {
  if (typeof value !== 'object' || value === null) return false;
  const { reason, missing, requestId, ...rest } = value as Record<string, unknown>;
  const isList = Array.isArray(missing) && missing.every((name) => typeof name === 'string');
  return isList && typeof reason === 'string' && typeof requestId === 'string' && Object.keys(rest).length === 0;
}

const LONGEST = 2000;
const NOWHERE = 'http://own.invalid';

/** A path of the console from a link; `/` if it would lead anywhere else. */
export function ownPath(next: unknown): string {
  if (typeof next !== 'string' || next.length > LONGEST || !/^\/(?![/\\])/.test(next) || !URL.canParse(next, NOWHERE)) {
    return '/';
  }
  const { origin, pathname, search, hash } = new URL(next, NOWHERE);
  const isOwn = origin === NOWHERE && !pathname.startsWith('//') && !/^\/(api|v1|openai)(\/|$)/i.test(pathname);
  return isOwn ? pathname + search + hash : '/';
}
