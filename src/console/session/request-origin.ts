import type { Request } from 'express';
import type { SignInOrigin } from '../../accounts/session.types.js';
import type { Settings } from '../../config/settings.js';

/** The origin of a sign-in. */
export function signInOrigin({ ip, headers, context }: Request): SignInOrigin {
  return { address: ip ?? null, userAgent: headers['user-agent'] ?? null, requestId: context.id };
}

/** The public address of the console; without a setting, the address of this request. */
export function consoleUrl(request: Request, { appUrl }: Settings): string {
  return appUrl ?? `${request.protocol}://${request.host}`;
}
