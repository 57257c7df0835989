import type { Request } from 'express';
import type { Settings } from '../../config/settings.js';

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
