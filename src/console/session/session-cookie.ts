import type { CookieOptions, Request, Response } from 'express';
import type { Settings } from '../../config/settings.js';

const NAME = 'gateway_session';

/**
 * The cookie with a session's token. Behind TLS it has the prefix `__Host-`, so that a browser accepts it only from
 * this host; without TLS a browser would refuse that.
 */
export function readSessionCookie(request: Request, settings: Settings): string | null {
  const name = nameOf(isSecure(request, settings));
  const found = (request.headers.cookie ?? '').split(/; */).find((pair) => pair.startsWith(`${name}=`));
  return found ? found.slice(name.length + 1) : null;
}

export function setSessionCookie(response: Response, token: string, expiresAt: Date, settings: Settings): void {
  const secure = isSecure(response.req, settings);
  response.cookie(nameOf(secure), token, { ...options(secure), expires: expiresAt });
}

export function clearSessionCookie(response: Response, settings: Settings): void {
  const secure = isSecure(response.req, settings);
  response.clearCookie(nameOf(secure), options(secure));
}

/** Whether the browser uses TLS: to this process, to a trusted proxy, or by the gateway's public address. */
export function isSecure(request: Request, { appUrl }: Settings): boolean {
  return request.secure || appUrl?.startsWith('https:') === true;
}

function nameOf(secure: boolean): string {
  return secure ? `__Host-${NAME}` : NAME;
}

function options(secure: boolean): CookieOptions {
  return { httpOnly: true, secure, sameSite: 'lax', path: '/' };
}
