import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { OpenedSession, Session } from '../../accounts/session.types.js';
import { SessionsService } from '../../accounts/sessions.service.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { clearCookie, setCookie } from './cookies.js';

/** A browser's session: one at a time, in a cookie. */
@Injectable()
export class BrowserSessionsService {
  constructor(
    private readonly sessions: SessionsService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /** Gives the browser a new session; its previous one ends. */
  async begin(response: Response, { token, session }: OpenedSession): Promise<Session> {
    const { req: request } = response;
    if (request.session) await this.sessions.replace(request.session.id);
    setCookie('gateway_session', token, { expires: session.expiresAt }, response, this.settings);
    request.session = session;
    return session;
  }

  /** Removes the browser's session. */
  forget(response: Response): void {
    clearCookie('gateway_session', response, this.settings);
  }
}
