import type { OidcRefusal } from '../../accounts/oidc/oidc.types.js';
import type { SignInFailureView } from './dto/oidc.dto.js';

/** A cookie holds 4 kB. */
const MOST_NAMES = 10;
const LONGEST_NAME = 100;

export function toFailure({ reason, missing }: OidcRefusal, requestId: string): SignInFailureView {
  return { reason, missing: missing.slice(0, MOST_NAMES).map((name) => name.slice(0, LONGEST_NAME)), requestId };
}

/** The page of a failed sign-in. Names are in a cookie and not in the URL, where anyone could write others. */
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
