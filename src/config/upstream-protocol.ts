import type { Environment, VariableSource } from './environment.js';

/**
 * The facts about an upstream API that the settings need. Each provider declares them; `loadSettings` gets the list.
 */
export interface UpstreamProtocol {
  /** The value of `protocol:` in upstreams.yaml that selects it. */
  readonly protocol: string;

  /** How requests are authenticated, unless `auth:` in upstreams.yaml names another scheme. */
  readonly auth: AuthScheme;

  /** The `auth:` whose keys an entry can have without naming it; it applies if no key is set. */
  readonly identityAuth?: string;

  /** Additional schemes, which `auth:` of any upstream can name. */
  readonly namedAuths?: Readonly<Record<string, AuthScheme>>;

  /** Whether the provider's bill stops when its connection is closed (`stop`, the default), or the whole answer is billed. */
  readonly whenCallerLeaves?: WhenCallerLeaves;

  /** Additional keys of its entry in upstreams.yaml: strings and flags. */
  readonly entryKeys?: EntryKeys;
}

/** What happens to an answer when the caller disconnects: the upstream is stopped, or the answer is read to its end. */
export const WHEN_CALLER_LEAVES = ['stop', 'finish'] as const;
export type WhenCallerLeaves = (typeof WHEN_CALLER_LEAVES)[number];

/** By name. `requiredWith`: the `auth:` with which the key is required. `isFlag`: it is `true` or `false`. */
export type EntryKeys = Readonly<Record<string, { readonly requiredWith?: string; readonly isFlag?: boolean }>>;

interface IdentityKey {
  /** The `auth:` that uses it. */
  readonly auth: 'aws' | 'azure' | 'google';
  readonly shape: RegExp;
  readonly problem: string;
  /** The key without which it has no effect. */
  readonly needs?: string;
}

export const AWS_REGION_SHAPE = /^[a-z]{2}(?:-[a-z]+)+-\d+$/;

/** The keys of an entry for the identity of the gateway at a cloud. */
export const IDENTITY_KEYS: Readonly<Record<string, IdentityKey>> = {
  region: { auth: 'aws', shape: AWS_REGION_SHAPE, problem: "must be the name of a region, for example 'us-east-1'" },
  roleArn: {
    auth: 'aws',
    shape: /^arn:[\w-]+:iam::\d{12}:role\/[\w+=,.@/-]+$/,
    problem: "must be the ARN of a role, for example 'arn:aws:iam::123456789012:role/gateway'",
  },
  externalId: {
    auth: 'aws',
    shape: /^[\w+=,.@:/-]{2,1224}$/,
    problem: 'must have 2 to 1224 letters, digits or +=,.@:/-',
    needs: 'roleArn',
  },
  roleSessionName: {
    auth: 'aws',
    shape: /^[\w+=,.@-]{2,64}$/,
    problem: 'must have 2 to 64 letters, digits or +=,.@-',
    needs: 'roleArn',
  },
  clientId: {
    auth: 'azure',
    shape: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    problem: 'must be the client id of an identity, a UUID',
  },
  impersonate: {
    auth: 'google',
    shape: /^[^\s@/]+@[^\s@/]+$/,
    problem: "must be the address of a service account, for example 'name@project.iam.gserviceaccount.com'",
  },
};

/** A credential other than an API key. */
export interface Credential {
  /** Secrets, which must not appear in an error or a log. */
  readonly secrets: readonly string[];
}

/** The entry of an upstream, as far as its credential depends on it. */
export interface CredentialOwner {
  /** The prefix of its variables: `OPENAI` in `OPENAI_API_KEY`. */
  readonly prefix: string;
  /** In upstreams.yaml. */
  readonly fileUrl: string;
  /** In `NAME_BASE_URL`. */
  readonly ownUrl: string | undefined;
  /** The values of its additional keys in upstreams.yaml. */
  readonly settings: Readonly<Record<string, string>>;
}

export interface ReadCredential {
  readonly credential: Credential | null;
  /** A key that is sent as a bearer token in place of the credential. */
  readonly apiKey?: string | null;
  /** Replaces the base URL. */
  readonly baseUrl?: string;
}

/** How requests are authenticated: what it reads from the environment. Each scheme is a file in upstreams/client/auth. */
export interface AuthScheme {
  /** Shown in the console and the documents. */
  readonly kind: string;
  /** The header that takes the API key alone. */
  readonly header?: string;
  /** Whether the upstream's API keys (`NAME_API_KEY`) are used. */
  readonly usesApiKeys: boolean;
  /** Groups of variables, besides API keys, of which one is enough. All variables of a group are needed. */
  variables?(prefix: string): string[][];
  /** For the settings page: its variables that have the same name for every upstream, with a description of each. */
  readonly descriptions?: Readonly<Record<string, string>>;
  /** Reads its credential; a faulty one is reported to `environment.fault`. */
  read?(environment: Environment, upstream: CredentialOwner): ReadCredential;
}

/** `auth: none`: requests are sent without a credential. */
export const NO_AUTH: AuthScheme = { kind: 'none', usesApiKeys: false };

/** The schemes that `auth:` in upstreams.yaml may name. */
export function namedAuths(protocols: readonly UpstreamProtocol[]): Readonly<Record<string, AuthScheme>> {
  return Object.assign({ none: NO_AUTH }, ...protocols.map((protocol) => protocol.namedAuths));
}

/** The prefix of an upstream's variables: `OPENAI` in `OPENAI_API_KEY`. */
export function upstreamPrefix(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}

/** The fields of an upstream that determine where its credential is. */
interface KeyHolder {
  readonly name: string;
  readonly scheme: AuthScheme;
  readonly keyVariables: readonly string[];
}

/** The variable of one of several keys: `OPENAI_API_KEY_BATCH`. */
export function keyVariable(prefix: string, name: string): string {
  return `${prefix}_API_KEY_${upstreamPrefix(name)}`;
}

/** The variables that set an upstream's credential, by its scheme. All variables of one of these groups are needed. */
export function credentialVariables({ name, scheme, keyVariables }: KeyHolder): string[][] {
  const keys = scheme.usesApiKeys ? keyVariables.map((variable) => [variable]) : [];
  return [...(scheme.variables?.(upstreamPrefix(name)) ?? []), ...keys];
}

/** The name under which a variable was set, possibly `NAME_FILE`, and where; null if it was not. */
export function givenVariable(
  name: string,
  variables: ReadonlyMap<string, VariableSource>,
): { name: string; source: NonNullable<VariableSource> } | null {
  for (const candidate of [name, `${name}_FILE`, name.replace(/_FILE$/, ''), name.toLowerCase()]) {
    const source = variables.get(candidate);
    if (source) return { name: candidate, source };
  }
  return null;
}
