import { z } from 'zod';
import type { Environment } from './environment.js';
import { ALLOWED_USE, allowedUseOf, duration } from './units.js';
import {
  type AuthScheme,
  type Credential,
  IDENTITY_KEYS,
  keyVariable,
  namedAuths,
  type UpstreamProtocol,
  WHEN_CALLER_LEAVES,
  type WhenCallerLeaves,
} from './upstream-protocol.js';

/** One of the API keys of an upstream. */
export interface UpstreamKey {
  /** Its number in the environment, or its name in upstreams.yaml; never the secret. */
  readonly name: string;
  readonly variable: string;
  readonly secret: string;
}

/** The API keys of an upstream in the environment. */
export interface UpstreamKeys {
  readonly keys: readonly UpstreamKey[];
  /** The variables that can contain a key, whether they are set or not. */
  readonly variables: readonly string[];
}

/** The names are labels of metrics. */
const MAX_KEYS = 32;

const FIRST = '1';

/**
 * The keys in the list `names`, each in its own variable; without such a list `NAME_API_KEY`, `NAME_API_KEY_2` and so
 * on.
 */
export function readKeys(environment: Environment, prefix: string, names?: readonly string[]): UpstreamKeys {
  const listed = names ?? [FIRST, ...numbersOf(environment, prefix)];
  const all = listed.map((name) => ({
    name,
    variable: name === FIRST ? `${prefix}_API_KEY` : keyVariable(prefix, name),
  }));
  const keys: UpstreamKey[] = [];
  for (const { name, variable } of all) {
    const secret = environment.readKey(variable);
    const twin = keys.find((key) => key.secret === secret);
    if (twin) environment.fault(variable, `holds the same key as ${twin.variable}; set each key once`);
    else if (secret !== null) keys.push({ name, variable, secret });
  }
  return { keys, variables: all.map(({ variable }) => variable) };
}

function numbersOf(environment: Environment, prefix: string): string[] {
  const start = `${prefix}_API_KEY_`;
  const ends = environment
    .names()
    .filter((name) => name.startsWith(start))
    .map((name) => name.slice(start.length).replace(/_FILE$/, ''));
  const numbers = [...new Set(ends)].filter((end) => /^[1-9]\d?$/.test(end)).map(Number);
  return numbers
    .filter((number) => number >= 2 && number <= MAX_KEYS)
    .sort((a, b) => a - b)
    .map(String);
}

export const NOT_BARE = 'must not contain a user, password, query or fragment; set the key as NAME_API_KEY';

const keyNames = z
  .array(z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be a name in lower case with digits and dashes'))
  .min(1, 'must name at least one key')
  .max(MAX_KEYS)
  .refine((names) => new Set(names).size === names.length, 'names a key twice');

const clock = duration('50ms', '24h');

const clocks = z.preprocess(
  (value) => value ?? {},
  z.strictObject({
    connect: clock.prefault('5s'),
    head: clock.optional(),
    firstEvent: clock.optional(),
    idle: clock.prefault('60s'),
    total: clock.prefault('15m'),
  }),
);

const HEAD_MS = 5 * 60_000;
const FIRST_EVENT_MS = 2 * 60_000;
const NEXT_TARGET_MS = 30_000;

/** Time limits of one upstream, in ms. */
export type Clocks = Required<z.output<typeof clocks>>;

/** Also how long to wait for a stream's first event while there is another target, in ms; null: see `clocks`. */
function timesOf(written: z.output<typeof clocks>): { clocks: Clocks; nextTargetAfter: number | null } {
  const { head = HEAD_MS, firstEvent = FIRST_EVENT_MS } = written;
  const isPatient = written.head !== undefined || written.firstEvent !== undefined;
  return { clocks: { ...written, head, firstEvent }, nextTargetAfter: isPatient ? null : NEXT_TARGET_MS };
}

const text = z.string().optional();
/** `true` as text; absent for `false`. */
const flag = z
  .boolean()
  .optional()
  .transform((value) => (value ? 'true' : undefined));

function upstreamOf(protocols: readonly UpstreamProtocol[]) {
  const keys = protocols.flatMap(({ entryKeys = {} }) => Object.entries(entryKeys));
  // The type does not know their names; `settings` below has their values.
  const ofProtocols: object = Object.fromEntries(keys.map(([key, { isFlag }]) => [key, isFlag ? flag : text]));
  const ofIdentities: object = Object.fromEntries(
    Object.entries(IDENTITY_KEYS).map(([key, { shape, problem }]) => [
      key,
      z.string().regex(shape, problem).optional(),
    ]),
  );
  return z
    .strictObject({
      protocol: z.enum(protocols.map(({ protocol }) => protocol)),
      baseUrl: z.url({ protocol: /^https?$/, error: wrongUrl }).refine(isBareUrl, NOT_BARE),
      auth: z.enum(Object.keys(namedAuths(protocols))).optional(),
      keys: keyNames.optional(),
      ...ALLOWED_USE,
      clocks,
      whenCallerLeaves: z.enum(WHEN_CALLER_LEAVES).optional(),
      probe: z.boolean().default(false),
      ...ofProtocols,
      ...ofIdentities,
    })
    .transform(({ protocol, baseUrl, auth, keys, clocks, probe, whenCallerLeaves: own, ...others }) => {
      const { requestsPerMinute, tokensPerMinute, concurrentCalls, ...rest } = others;
      const allowed = allowedUseOf({ requestsPerMinute, tokensPerMinute, concurrentCalls });
      const ofProtocol = protocols.find((known) => known.protocol === protocol)?.whenCallerLeaves;
      const whenCallerLeaves: WhenCallerLeaves = own ?? ofProtocol ?? 'stop';
      const given = Object.entries<string | undefined>(rest).flatMap(([key, value]) => (value ? [[key, value]] : []));
      const settings: Readonly<Record<string, string>> = Object.fromEntries(given);
      return {
        protocol,
        baseUrl,
        ...(auth && { auth }),
        ...(keys && { keys }),
        ...timesOf(clocks),
        probe,
        whenCallerLeaves,
        ...allowed,
        settings,
      };
    })
    .superRefine(({ protocol, auth, keys, settings }, context) => {
      if (keys && auth)
        context.addIssue({ code: 'custom', path: ['keys'], message: `cannot be combined with auth: ${auth}` });
      const { entryKeys = {}, identityAuth } = protocols.find((known) => known.protocol === protocol) ?? {};
      for (const [key, { auth: user, needs }] of Object.entries(IDENTITY_KEYS)) {
        if (!settings[key]) continue;
        const message =
          (auth ?? identityAuth) === user
            ? needs && !settings[needs] && `has no effect without ${needs}`
            : `is only used with auth: ${user}`;
        if (message) context.addIssue({ code: 'custom', path: [key], message });
      }
      for (const [key, { requiredWith }] of Object.entries(entryKeys)) {
        if (requiredWith === undefined || requiredWith !== auth || settings[key]) continue;
        context.addIssue({ code: 'custom', path: [key], message: `is required with auth: ${auth}` });
      }
    });
}

/** config/upstreams.yaml: a name → how to reach that upstream. */
export function upstreamsFile(protocols: readonly UpstreamProtocol[]) {
  return z.preprocess(
    (value) => value ?? {},
    z.record(
      z.string().regex(/^[a-z][a-z0-9-]*$/, 'must be a name in lower case with digits and dashes'),
      upstreamOf(protocols),
    ),
  );
}

export type UpstreamsFile = z.output<ReturnType<typeof upstreamsFile>>;

/** One upstream with its values from the environment. */
export interface UpstreamSettings extends z.output<ReturnType<typeof upstreamOf>> {
  readonly name: string;
  /** Its authentication: that of its entry, otherwise its protocol's. */
  readonly scheme: AuthScheme;
  /** The secret of its first API key, or null. */
  readonly apiKey: string | null;
  /** The name of `apiKey` in `byKey`; null if it is the only one. */
  readonly keyName: string | null;
  /** With several API keys, the upstream as called with each of them; otherwise empty. */
  readonly byKey: readonly UpstreamSettings[];
  /** The variables that can contain its API keys, whether they are set or not. */
  readonly keyVariables: readonly string[];
  /** What the scheme uses in place of an API key, or null. */
  readonly credential: Credential | null;
}

/** Other parts of an address are never sent and must not contain secrets. */
export function isBareUrl(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { username, password, search, hash } = new URL(text);
  return username + password + search + hash === '';
}

/** A missing URL gets the usual message. */
function wrongUrl({ input }: { input?: unknown }): string | undefined {
  return input === undefined ? undefined : 'must be an http or https URL';
}
