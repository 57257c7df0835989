import type { CookieOptions, Request, Response } from 'express';
import type { Settings } from '../../config/settings.js';

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
