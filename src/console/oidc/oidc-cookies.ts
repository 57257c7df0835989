import type { CookieOptions, Request, Response } from 'express';
import type { Settings } from '../../config/settings.js';
import { isSecure } from '../session/session-cookie.js';

/** A cookie for the duration of a sign-in; `lax`, because the provider's redirect back must carry it. */
const OPTIONS = { httpOnly: true, sameSite: 'lax', path: '/', maxAge: 10 * 60_000 } as const;

/** Cookies during a sign-in: its secret, and after a failed one the reason. */
export type OidcCookie = 'gateway_oidc' | 'gateway_oidc_failure';

export function readOidcCookie(cookie: OidcCookie, request: Request, settings: Settings): string | null {
  const prefix = `${nameOf(cookie, isSecure(request, settings))}=`;
  const found = (request.headers.cookie ?? '').split(/; */).find((pair) => pair.startsWith(prefix));
  return found ? found.slice(prefix.length) : null;
}

/** `value` in characters that are valid in a cookie. */
export function setOidcCookie(cookie: OidcCookie, value: string, response: Response, settings: Settings): void {
  const secure = isSecure(response.req, settings);
  const options: CookieOptions = { ...OPTIONS, secure, encode: String };
  response.cookie(nameOf(cookie, secure), value, options);
}

export function clearOidcCookie(cookie: OidcCookie, response: Response, settings: Settings): void {
  const secure = isSecure(response.req, settings);
  const { maxAge: _, ...options } = OPTIONS;
  response.clearCookie(nameOf(cookie, secure), { ...options, secure });
}

function nameOf(cookie: OidcCookie, secure: boolean): string {
  return secure ? `__Host-${cookie}` : cookie;
}
