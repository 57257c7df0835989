import {
  applyDecorators,
  type CanActivate,
  Controller,
  type ExecutionContext,
  HttpCode,
  Injectable,
  type Type,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiNoContentResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { Permission, Reach } from '../../accounts/permissions.js';
import { SessionsService } from '../../accounts/sessions.service.js';
import type { Session } from '../../accounts/user.types.js';
import { TokenAccessService } from '../../auth/token-access.service.js';
import { overloaded, serviceUnavailable, unknownUrl } from '../../common/gateway.error.js';
import { Turns } from '../../common/turns.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { DatabaseService } from '../../database/database.service.js';
import { FairTurnsInterceptor } from '../../http/fair-turns.interceptor.js';
import {
  adminOnly,
  ConsoleBodyGuard,
  consoleValidation,
  crossSiteRequest,
  insufficientPermissions,
  notSignedIn,
  otherUser,
} from '../shared/validation.js';
import { isCrossSite, readCookie, signInOrigin } from './current-session.js';
import { IdempotentWritesInterceptor } from './idempotent-writes.interceptor.js';
import { Access, type RouteAccess } from './route-access.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** Set by the console's guard; missing without a session. */
    session?: Session;
  }
}

/** Of sessions and access tokens: nobody knows yet whose they are, and calls need the other connections. */
const LOOK_UPS_AT_ONCE = 3;
const MOST_WAITING = 1000;

/**
 * Admits a request to the console's API if it has the route's permission: by an access token, or by the session of a
 * person whose page is of no other site. With a token, cookies are ignored.
 */
@Injectable()
export class ConsoleGuard implements CanActivate {
  private readonly lookUps = new Turns(LOOK_UPS_AT_ONCE);

  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: SessionsService,
    private readonly tokens: TokenAccessService,
    private readonly database: DatabaseService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    http.getResponse<Response>().setHeader('cache-control', 'private, no-store');
    const secret = bearerOf(request);
    if (secret === null && isCrossSite(request, this.settings)) throw crossSiteRequest();
    if (hasInvalidId(request)) throw unknownUrl();
    const access = this.reflector.getAllAndOverride(Access, [context.getHandler(), context.getClass()]);
    if (!access) throw new Error(`${context.getClass().name}.${context.getHandler().name} states no access`);
    if (!this.database.isStarted) throw serviceUnavailable('The database is not available yet. Please try again.');
    const session = await this.inTurn(() =>
      secret === null ? this.sessionOf(request) : this.tokens.authenticate(secret, signInOrigin(request)),
    );
    if (session) {
      request.session = session;
      const { id: userId, projectId } = session.user;
      request.context.identify({ userId, project: projectId === null ? null : { id: projectId } });
    }
    if (access === 'anyone') return true;
    if (!session) throw notSignedIn();
    if (isForOtherUser(session, request)) throw otherUser();
    if (access !== 'signed-in') assertMay(session, access);
    return true;
  }

  private inTurn<Result>(lookUp: () => Promise<Result>): Promise<Result> {
    if (this.lookUps.waiting >= MOST_WAITING) throw overloaded();
    return this.lookUps.run(lookUp);
  }

  private async sessionOf(request: Request): Promise<Session | null> {
    const token = readCookie('gateway_session', request, this.settings);
    return token === null ? null : this.sessions.find(token);
  }
}

/** A proxy may send credentials of its own by another scheme. */
function bearerOf({ headers }: Request): string | null {
  return /^bearer +(.*?) *$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

/** Within a project, the handler checks the role there. */
function assertMay({ rights }: Session, [permission, reach]: readonly [Permission, Reach]): void {
  if (!rights.hasScope(permission)) throw insufficientPermissions(permission);
  if (!rights.reaches(permission, reach)) throw reach === 'all' ? adminOnly() : insufficientPermissions(permission);
}

/** Whether the page was loaded for another user. Pages name the user in this header; other clients do not send it. */
function isForOtherUser({ user }: Session, request: Request): boolean {
  const owner = request.headers['x-console-user'];
  return owner !== undefined && owner !== user.id;
}

/** An id with U+0000, which the database would reject. */
function hasInvalidId({ params }: Request): boolean {
  return Object.values(params)
    .flat()
    .some((value) => value.includes('\0'));
}

/**
 * A controller of the console's API: `@ConsoleController('keys', 'API keys', ['keys.write', 'own'])` serves
 * `/api/keys` for those who may change keys of their own. An `@Access` at a route overrides it.
 */
export function ConsoleController(path: string, tag: string, access: RouteAccess): ClassDecorator {
  return applyDecorators(
    Controller(`api/${path}`),
    UseGuards(ConsoleGuard, ConsoleBodyGuard),
    UseInterceptors(FairTurnsInterceptor, IdempotentWritesInterceptor),
    UsePipes(consoleValidation()),
    ApiTags(tag),
    Access(access),
  );
}

interface Details {
  readonly description?: string;
  readonly status?: 200 | 201;
}

/** A route that answers with this view, or a list of it; described in the OpenAPI document. */
export function Returns(
  type: Type | [Type],
  summary: string,
  { status = 200, ...details }: Details = {},
): MethodDecorator {
  return applyDecorators(HttpCode(status), ApiOperation({ summary, ...details }), ApiResponse({ status, type }));
}

/** A route that answers without content. */
export function ReturnsNothing(summary: string, details: Pick<Details, 'description'> = {}): MethodDecorator {
  return applyDecorators(HttpCode(204), ApiOperation({ summary, ...details }), ApiNoContentResponse());
}
