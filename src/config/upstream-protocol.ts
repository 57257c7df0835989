import type { Environment } from './environment.js';

/**
 * The facts about an upstream API that the settings need. Each provider declares them; `loadSettings` gets the list.
 */
export interface UpstreamProtocol {
  /** The value of `protocol:` in upstreams.yaml that selects it. */
  readonly protocol: string;

  /** How requests are authenticated, unless `auth:` in upstreams.yaml names another scheme. */
  readonly auth: AuthScheme;

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
