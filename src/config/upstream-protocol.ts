/** What the settings need to know of an upstream API. Each provider says it of itself; `loadSettings` is given the list. */
export interface UpstreamProtocol {
  /** The word that `protocol:` in upstreams.yaml selects it by. */
  readonly protocol: string;

  /** How a request is given its credential, where `auth:` in upstreams.yaml says nothing else. */
  readonly auth: AuthScheme;

  /** Keys of its entry in upstreams.yaml that it cannot do without, where that says so much for `auth:`. */
  readonly requires?: Readonly<Partial<Record<NamedAuth, readonly UpstreamKey[]>>>;
}

/** Schemes that `auth:` of any upstream may name, since they need no more than that. */
export const NAMED_AUTHS = ['none', 'google'] as const;
export type NamedAuth = (typeof NAMED_AUTHS)[number];

/** Keys of an upstream that only some APIs use. */
type UpstreamKey = 'apiVersion' | 'project' | 'location';

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
