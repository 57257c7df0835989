/** What the settings need to know of an upstream API. Each provider says it of itself; `loadSettings` is given the list. */
export interface UpstreamProtocol {
  /** The word that `protocol:` in upstreams.yaml selects it by. */
  readonly protocol: string;

  /** How a request is given its credential, where `auth:` in upstreams.yaml says nothing else. */
  readonly auth: AuthScheme;

  /** Whether the provider's bill stops when its connection is closed (`stop`, the default), or the whole answer is billed. */
  readonly whenCallerLeaves?: WhenCallerLeaves;

  /** Further keys of its entry in upstreams.yaml, all of them texts. */
  readonly entryKeys?: EntryKeys;
}

/** What becomes of an answer whose caller has left: the upstream is stopped, or the answer read to its end. */
export const WHEN_CALLER_LEAVES = ['stop', 'finish'] as const;
export type WhenCallerLeaves = (typeof WHEN_CALLER_LEAVES)[number];

/** By name; `requiredWith`: it cannot be left out where `auth:` of the entry says this. */
export type EntryKeys = Readonly<Record<string, { readonly requiredWith?: NamedAuth }>>;

/** Schemes that `auth:` of any upstream may name, since they need no more than that. */
export const NAMED_AUTHS = ['none', 'google'] as const;
type NamedAuth = (typeof NAMED_AUTHS)[number];

/**
 * How a request is given its credential. `none`: it is given none; `bearer`: `Authorization: Bearer`; `header`: the key
 * alone in a header of this name; `google`: an access token for a service account; `sigv4`: it is signed for AWS.
 */
export type AuthScheme =
  | { readonly kind: NamedAuth }
  | { readonly kind: 'bearer' }
  | { readonly kind: 'header'; readonly name: string }
  | SigV4Scheme;

export const AUTH_KINDS = ['none', 'bearer', 'header', 'sigv4', 'google'] as const satisfies AuthScheme['kind'][];

/** Signature Version 4, as the services of AWS ask for it. */
export interface SigV4Scheme {
  readonly kind: 'sigv4';
  /** The service, as signatures name it. */
  readonly service: string;
  /** The same as people name it. */
  readonly title: string;
  /** What stands before the region in its hosts: `NAME.REGION.amazonaws.com`. */
  readonly host: string;
  /** The variable of a key for this service alone, which takes the place of a signature. */
  readonly keyVariable: string;
}
