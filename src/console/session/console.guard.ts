import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { Session } from '../../accounts/session.types.js';
import { SessionsService } from '../../accounts/sessions.service.js';
import { serviceUnavailable, unknownUrl } from '../../common/gateway.errors.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { DatabaseService } from '../../database/database.service.js';
import { adminOnly, crossSiteRequest, notSignedIn, otherUser } from '../shared/console.errors.js';
import { readCookie } from './cookies.js';
import { isCrossSite } from './cross-site.js';
import { Role } from './role.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** Set by the console's guard; missing without a session. */
    session?: Session;
  }
}

/** Admits a request to the console's API if it comes from no other site and has a session with the route's role. */
@Injectable()
export class ConsoleGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: SessionsService,
    private readonly database: DatabaseService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    http.getResponse<Response>().setHeader('cache-control', 'private, no-store');
    if (isCrossSite(request, this.settings)) throw crossSiteRequest();
    if (hasInvalidId(request)) throw unknownUrl();
    const role = this.reflector.getAllAndOverride(Role, [context.getHandler(), context.getClass()]);
    if (!role) throw new Error(`${context.getClass().name}.${context.getHandler().name} states no role`);
    if (!this.database.isStarted) throw serviceUnavailable('The database is not available yet. Please try again.');
    const session = await this.sessionOf(request);
    if (session) {
      request.session = session;
      request.context.identify({ userId: session.user.id });
    }
    if (role === 'anyone') return true;
    if (!session) throw notSignedIn();
    if (isForOtherUser(session, request)) throw otherUser();
    if (role === 'admin' && session.user.role !== 'admin') throw adminOnly();
    return true;
  }

  private async sessionOf(request: Request): Promise<Session | null> {
    const token = readCookie('gateway_session', request, this.settings);
    return token === null ? null : this.sessions.find(token);
  }
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
