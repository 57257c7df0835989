/** What the settings need to know about an upstream API. Each provider declares it; `loadSettings` gets the list. */
export interface UpstreamProtocol {
  /** The value of `protocol:` in upstreams.yaml that selects it. */
  readonly protocol: string;

  /** How requests are authenticated, unless `auth:` in upstreams.yaml says otherwise. */
  readonly auth: AuthScheme;

  /**
   * Whether the provider's bill ends when its connection is closed (`stop`, the default), or the whole answer is
   * billed.
   */
  readonly whenCallerLeaves?: WhenCallerLeaves;

  /** Additional keys of its entry in upstreams.yaml, all strings. */
  readonly entryKeys?: EntryKeys;
}

/** What happens to an answer whose caller has left: the upstream is stopped, or the answer is read to its end. */
export const WHEN_CALLER_LEAVES = ['stop', 'finish'] as const;
export type WhenCallerLeaves = (typeof WHEN_CALLER_LEAVES)[number];

/** By name; `requiredWith`: required if `auth:` of the entry has this value. */
export type EntryKeys = Readonly<Record<string, { readonly requiredWith?: NamedAuth }>>;

/** Schemes that `auth:` of any upstream can name, because they need nothing else. */
export const NAMED_AUTHS = ['none', 'google'] as const;
type NamedAuth = (typeof NAMED_AUTHS)[number];

/**
 * How requests are authenticated. `none`: not at all; `bearer`: `Authorization: Bearer`; `header`: the key in a header
 * with this name; `google`: an access token for a service account; `sigv4`: signed for AWS.
 */
export type AuthScheme =
  | { readonly kind: NamedAuth }
  | { readonly kind: 'bearer' }
  | { readonly kind: 'header'; readonly name: string }
  | SigV4Scheme;

export const AUTH_KINDS = ['none', 'bearer', 'header', 'sigv4', 'google'] as const satisfies AuthScheme['kind'][];

/** Signature Version 4 for AWS services. */
export interface SigV4Scheme {
  readonly kind: 'sigv4';
  /** The service's name in signatures. */
  readonly service: string;
  /** The service's name for people. */
  readonly title: string;
  /** The first part of its hosts: `NAME.REGION.amazonaws.com`. */
  readonly host: string;
  /** The variable of an API key for this service, which replaces a signature. */
  readonly keyVariable: string;
}
