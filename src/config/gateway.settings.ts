import { z } from 'zod';
import { AddressList } from '../common/address-list.js';
import { guardNames, guardsSection } from './guard.settings.js';
import { byteSize, duration, longDuration } from './units.js';

const ISSUER = 'must be an https URL without a query; http only on this machine (localhost)';
const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

const name = z.string().trim().min(1, 'must not be empty');

/** Single sign-on with an OpenID Connect provider; null if it is not set up. */
const oidcSettings = z
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

/** A provider whose tokens callers may send in place of an API key. */
const issuerSettings = z.strictObject({
  issuer: z.string().refine(isIssuer, ISSUER),
  audience: z.array(name).min(1, 'must name at least one audience'),
  jwksUri: z.string().refine(isIssuer, ISSUER).nullable().default(null),
  user: name.default('email'),
  create: z.boolean().default(false),
  require: z.record(name, z.array(name).min(1, 'must name at least one value')).default({}),
  project: z
    .union([name, z.strictObject({ claim: name })], 'must be the name of a project, or { claim: NAME }')
    .nullable()
    .default(null),
  subjects: z
    .record(
      name,
      z.string().regex(/^[^/]+\/[^/]+$/, "must be a project's name and its service account's: search/crawler"),
    )
    .default({}),
});

export type IssuerSettings = z.output<typeof issuerSettings>;

const issuers = z.array(issuerSettings).superRefine((list, context) => {
  for (const [index, { issuer }] of list.entries()) {
    if (list.findIndex((other) => other.issuer === issuer) === index) continue;
    context.addIssue({ code: 'custom', path: [index, 'issuer'], message: 'is the issuer of an earlier entry' });
  }
});

export type OidcSettings = NonNullable<z.output<typeof oidcSettings>>;

/** Tokens and keys are sent over this connection, so it must be protected. */
export function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash, username } = new URL(text);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOCAL_HOSTS.has(hostname));
  return isSafe && !search && !hash && !username;
}

/** A section whose keys all have defaults: it can be missing or empty. `check` validates its keys together. */
function section<Shape extends z.ZodRawShape>(
  shape: Shape,
  check: (value: z.output<z.ZodObject<Shape>>, context: z.RefinementCtx) => void = () => undefined,
) {
  return z.preprocess((value) => value ?? {}, z.strictObject(shape).superRefine(check));
}

/** `off`, the default, becomes null. */
function offOr<Schema extends z.ZodType>(schema: Schema) {
  return z
    .preprocess((value) => (value === 'off' || value === false ? null : value), schema.nullable())
    .prefault('off');
}

const addressOrRange = z.string().refine(isAddressOrRange, 'must be an address or a range such as 10.0.0.0/8');
const trustedRange = addressOrRange.refine(
  (text) => !text.endsWith('/0'),
  'must not trust every address: name those of your proxies',
);
const planName = z.string().regex(/^[\w-]{1,64}$/, 'must be the id of a plan');
const stripePrice = z.string().regex(/^price_\w+$/, 'must be the id of a price at Stripe, such as price_1Abc');
const origin = z.string().refine(isOrigin, 'must be an origin such as https://app.example.com, without a path');

const SECTIONS = {
  server: section({
    bodyLimit: byteSize('1kb', '1gb').prefault('32mb'),
    keepAliveTimeout: duration('1s', '1h').prefault('75s'),
    trustProxy: z.array(trustedRange).default([]),
    corsOrigins: z.array(origin).default([]),
    modelsFormat: z.enum(['array', 'list']).default('array'),
    listAliases: z.boolean().default(false),
    listen: z.enum(['ready', 'start']).default('ready'),
  }),
  stream: section({
    commitAfter: duration('0s', '10m').prefault('15s'),
    heartbeat: duration('50ms', '15s').prefault('15s'),
  }),
  retry: section({
    attempts: z.int().min(1).max(10).default(3),
    budgetPercent: z.number().min(0).max(100).default(20),
    floor: z.int().min(0).max(10_000).default(3),
    maxRetryAfter: duration('0s', '1h').prefault('20s'),
    retryWithoutRefusedParameters: z.boolean().default(true),
  }),
  simulator: section({
    mode: z.enum(['auto', 'on', 'off']).default('auto'),
    tokensPerSecond: z.number().min(0.1).max(1_000_000).default(50),
  }),
  auth: section({
    cacheTtl: duration('1s', '1h').prefault('30s'),
    cacheSize: z.int().min(100).max(10_000_000).default(100_000),
    issuers: issuers.default([]),
  }),
  shutdown: section({
    drainDelay: duration('0s', '10m').prefault('2s'),
    deadline: duration('0s', '1h').prefault('30s'),
  }),
  unsupported: z.enum(['reject', 'ignore']).default('reject'),
  signIn: section(
    {
      local: z.boolean().default(true),
      oidc: oidcSettings,
      sessionIdle: longDuration('1m', '365d').prefault('12h'),
      sessionMax: longDuration('1m', '365d').prefault('7d'),
    },
    checkSessions,
  ),
  keyPolicy: section({
    maxLifetime: longDuration('1h', '3650d').nullable().default(null),
    defaultLifetime: longDuration('1h', '3650d').prefault('90d'),
  }),
  tokenPolicy: section({
    maxLifetime: longDuration('1h', '3650d').prefault('365d'),
    defaultLifetime: longDuration('1h', '3650d').prefault('90d'),
  }),
  keys: section({ perUser: z.int().min(1).max(1_000_000).nullable().default(100) }),
  usage: section({ retention: longDuration('1d', '36500d').prefault('400d') }),
  payments: section({ prices: z.record(planName, stripePrice).default({}) }),
  idempotency: section({
    retention: longDuration('0s', '365d').prefault('24h'),
    maxAnswer: byteSize('1kb', '64mb').prefault('1mb'),
  }),
  contentLog: section({
    retention: longDuration('1h', '3650d').prefault('30d'),
    maxSize: byteSize('1kb', '16mb').prefault('256kb'),
  }),
  responses: section({
    remember: offOr(longDuration('1h', '3650d')),
    maxPerOwner: byteSize('1mb', '64gb').prefault('256mb'),
  }),
  cache: section({
    maxAnswer: byteSize('1kb', '16mb').prefault('256kb'),
    maxSize: byteSize('1mb', '64gb').prefault('1gb'),
  }),
  cacheByHeader: z.boolean().default(false),
  metrics: section({ allow: z.array(addressOrRange).default([]) }),
  routing: section(
    {
      consecutiveFailures: z.int().min(1).max(1_000_000).default(5),
      failurePercent: z.number().min(1).max(100).default(50),
      minimumCalls: z.int().min(1).max(1_000_000).default(20),
      window: duration('1s', '1h').prefault('30s'),
      asideFor: duration('50ms', '1h').prefault('10s'),
      asideAtMost: duration('50ms', '24h').prefault('5m'),
      queue: duration('0s', '1m').prefault('2s'),
    },
    checkAside,
  ),
  overload: section({
    maxCalls: z.int().min(1).max(1_000_000).nullable().default(null),
    maxLoopDelay: duration('20ms', '1m').prefault('250ms'),
    maxBufferedBytes: byteSize('1mb', '64gb').prefault('256mb'),
  }),
  whenDatabaseIsAway: section({
    do: z.enum(['refuse', 'serve']).default('refuse'),
    forAtMost: duration('1s', '24h').prefault('5m'),
    upToUsd: z.number().min(0.01).max(1_000_000).default(10),
  }),
  guards: guardsSection,
  guardsForAll: guardNames,
  hostedToolsPerCall: z.int().min(1).max(1000).default(10),
  reload: z.enum(['signal', 'watch']).default('signal'),
};

/**
 * config/gateway.yaml; durations become ms, sizes bytes. Values that would make the gateway unusable are out of range.
 */
export const gatewayFile = section(SECTIONS);

export const GATEWAY_SECTIONS = Object.keys(SECTIONS) as (keyof typeof SECTIONS)[];

export type GatewayFile = z.output<typeof gatewayFile>;

function checkSessions(session: { sessionIdle: number; sessionMax: number }, context: z.RefinementCtx): void {
  if (session.sessionMax >= session.sessionIdle) return;
  const message = 'must not be shorter than signIn.sessionIdle';
  context.addIssue({ code: 'custom', path: ['sessionMax'], message });
}

function checkAside(routing: { asideFor: number; asideAtMost: number }, context: z.RefinementCtx): void {
  if (routing.asideAtMost >= routing.asideFor) return;
  context.addIssue({ code: 'custom', path: ['asideAtMost'], message: 'must not be shorter than routing.asideFor' });
}

function isAddressOrRange(text: string): boolean {
  try {
    new AddressList([text]);
    return true;
  } catch {
    return false;
  }
}

/** Browsers send this form, so any other would never match. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
