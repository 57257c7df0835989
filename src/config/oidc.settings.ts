import { z } from 'zod';
import { longDuration } from './units.js';

const ISSUER = 'must be an https URL without a query; http only on this machine (localhost)';
const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

const name = z.string().trim().min(1, 'must not be empty');

/** Single sign-on with an OpenID Connect provider; null if it is not set up. */
export const oidcSettings = z
  .strictObject({
    issuer: z.string().refine(isIssuer, ISSUER),
    clientId: name,
    label: name.max(40, 'must have at most 40 characters').default('Single sign-on'),
    scopes: z
      .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be a scope, without spaces'))
      .refine((scopes) => scopes.includes('openid'), 'must contain openid')
      .default(['openid', 'email', 'profile']),
    groupsClaim: name.default('groups'),
    adminGroups: z.array(name).default([]),
    memberGroups: z.array(name).nullable().default(null),
    plans: z.record(name, name).default({}),
    projects: z
      .record(name, z.strictObject({ project: name, role: z.enum(['manager', 'member']).default('member') }))
      .default({}),
    planLifetime: longDuration('1h', '3650d').nullable().default(null),
    requireVerifiedEmail: z.boolean().default(true),
  })
  .nullable()
  .default(null);

export type OidcSettings = NonNullable<z.output<typeof oidcSettings>>;

/** Tokens and keys are sent over this connection, so it must be protected. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash, username } = new URL(text);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOCAL_HOSTS.has(hostname));
  return isSafe && !search && !hash && !username;
}
