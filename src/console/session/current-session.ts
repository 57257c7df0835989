import { createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { SessionsService } from '../../accounts/sessions.service.js';
import { labelOf, type OpenedSession, type Session, type SignInOrigin } from '../../accounts/user.types.js';
import type { Actor } from '../../audit/audit.types.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { notSignedIn } from '../shared/validation.js';

/** A signed-in person's session, and the person as an actor in the audit log. */
export interface SignedIn extends Session {
  readonly actor: Actor;
}

/** Parameter of a route for members or admins. */
export const CurrentSession = createParamDecorator((_: unknown, context: ExecutionContext): SignedIn => {
  const request = context.switchToHttp().getRequest<Request>();
  if (!request.session) throw notSignedIn();
  return { ...request.session, actor: actorOf(request) };
});

/** Parameter of any route: the caller as the audit log names it. */
export const CurrentActor = createParamDecorator(
  (_: unknown, context: ExecutionContext): Actor => actorOf(context.switchToHttp().getRequest<Request>()),
);

function actorOf({ session, ip, context }: Request): Actor {
  const from = { address: ip ?? null, requestId: context.id };
  if (!session) return { kind: 'nobody', id: null, name: 'not signed in', ...from };
  const name = labelOf(session.user) + (session.token ? ` (token ${session.token.name})` : '');
  return { kind: 'user', id: session.user.id, name, ...from };
}

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
    if (request.session?.token === null) await this.sessions.replace(request.session.id);
    setCookie('gateway_session', token, { expires: session.expiresAt }, response, this.settings);
    request.session = session;
    return session;
  }

  /** Removes the browser's session. */
  forget(response: Response): void {
    clearCookie('gateway_session', response, this.settings);
  }
}

/** The token of a session, the secret of a running single sign-on, and the reason why a single sign-on failed. */
type CookieName = 'gateway_session' | 'gateway_oidc' | 'gateway_oidc_failure';

/** `lax`, because the redirect back from a provider must carry the cookies. */
const OPTIONS = { httpOnly: true, sameSite: 'lax', path: '/' } as const;

export function readCookie(cookie: CookieName, request: Request, settings: Settings): string | null {
  const prefix = `${nameOf(cookie, isSecure(request, settings))}=`;
  const found = (request.headers.cookie ?? '').split(/; */).find((pair) => pair.startsWith(prefix));
  return found ? found.slice(prefix.length) : null;
}

/** `value`: a token, or other text in base64url. */
export function setCookie(
  cookie: CookieName,
  value: string,
  lasting: Pick<CookieOptions, 'expires' | 'maxAge'>,
  response: Response,
  settings: Settings,
): void {
  const secure = isSecure(response.req, settings);
  response.cookie(nameOf(cookie, secure), value, { ...OPTIONS, ...lasting, secure });
}

export function clearCookie(cookie: CookieName, response: Response, settings: Settings): void {
  const secure = isSecure(response.req, settings);
  response.clearCookie(nameOf(cookie, secure), { ...OPTIONS, secure });
}

/** Whether the browser uses TLS: to this process, to a trusted proxy, or by the gateway's public address. */
function isSecure(request: Request, { appUrl }: Settings): boolean {
  return request.secure || appUrl?.startsWith('https:') === true;
}

/**
 * Behind TLS the prefix `__Host-` lets a browser accept the cookie only from this host; without TLS a browser would
 * refuse such a name.
 */
function nameOf(cookie: CookieName, secure: boolean): string {
  return secure ? `__Host-${cookie}` : cookie;
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a page of another site sent this request, if its method can change something. Browsers say so in
 * `Sec-Fetch-Site`, on plain HTTP only in `Origin`; a client that sends neither is not a browser, so it carries
 * nobody's cookies.
 */
export function isCrossSite(request: Request, { appUrl }: Settings): boolean {
  if (SAFE_METHODS.has(request.method)) return false;
  const { origin } = request.headers;
  if (origin !== undefined && appUrl !== null && origin === new URL(appUrl).origin) return false;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== request.headers.host);
}

/** The origin of a sign-in. */
export function signInOrigin({ ip, headers, context }: Request): SignInOrigin {
  return { address: ip ?? null, userAgent: headers['user-agent'] ?? null, requestId: context.id };
}

/** The public address of the console; without a setting, the address of this request. */
export function consoleUrl(request: Request, { appUrl }: Settings): string {
  return appUrl ?? `${request.protocol}://${request.host}`;
}
