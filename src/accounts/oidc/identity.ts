import { UsageError } from '../../common/usage.error.js';
import { MAX_NAME_LENGTH, toAddress } from '../user-input.js';
import type { OidcIdentity } from './oidc.types.js';

export type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };

/** Reads the identity from the claims. Accepts the variants that providers send. */
export function toIdentity(claims: Claims, groupsClaim: string): OidcIdentity {
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: toText(claims.email),
    emailVerified: toBoolean(claims.email_verified),
    name: toText(claims.name) ?? '',
    groups: toGroups(claims[groupsClaim]),
  };
}

/** The e-mail address in its stored form; null if it is missing or not valid. */
export function emailOf({ email }: OidcIdentity): string | null {
  try {
    return email === null ? null : toAddress(email);
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}

/** The name, if it is a valid one. */
export function nameOf({ name }: OidcIdentity): string {
  return name
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, MAX_NAME_LENGTH);
}

function toText(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** Some providers send the string `true`. */
function toBoolean(value: unknown): boolean | null {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : null;
}

/** A single group may come as a plain string. */
function toGroups(value: unknown): string[] | null {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((group) => typeof group === 'string') : null;
}
