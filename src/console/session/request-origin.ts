import type { Request } from 'express';
import type { SignInOrigin } from '../../accounts/session.types.js';
import type { Settings } from '../../config/settings.js';

/** Where a sign-in comes from. */
export function signInOrigin({ ip, headers, context }: Request): SignInOrigin {
  return { address: ip ?? null, userAgent: headers['user-agent'] ?? null, requestId: context.id };
}

/** The address that the console is known by; without a setting, the one that this request was sent to. */
export function consoleUrl(request: Request, { appUrl }: Settings): string {
  return appUrl ?? `${request.protocol}://${request.host}`;
}
