import type { OidcRefusal } from '../../accounts/oidc/oidc.types.js';
import type { SignInFailureView } from './dto/oidc.dto.js';

/** A cookie holds 4 kB. */
const MAX_NAMES = 10;
const MAX_NAME_LENGTH = 100;

export function toFailure({ reason, missing }: OidcRefusal, requestId: string): SignInFailureView {
  return { reason, missing: missing.slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_NAME_LENGTH)), requestId };
}

/** The page for a failed sign-in. Names are passed in a cookie, because anyone could change them in a URL. */
export function failurePath({ reason, requestId }: SignInFailureView): string {
  return `/sign-in-error?${new URLSearchParams({ reason, request: requestId })}`;
}

export function toCookie(failure: SignInFailureView): string {
  return Buffer.from(JSON.stringify(failure)).toString('base64url');
}

/** Null if the cookie is not one of ours. */
export function fromCookie(cookie: string): SignInFailureView | null {
  try {
    const failure: unknown = JSON.parse(Buffer.from(cookie, 'base64url').toString());
    return isFailure(failure) ? failure : null;
  } catch {
    return null;
  }
}

function isFailure(value: unknown): value is SignInFailureView {
  if (typeof value !== 'object' || value === null) return false;
  const { reason, missing, requestId, ...rest } = value as Record<string, unknown>;
  const isList = Array.isArray(missing) && missing.every((name) => typeof name === 'string');
  return isList && typeof reason === 'string' && typeof requestId === 'string' && Object.keys(rest).length === 0;
}
