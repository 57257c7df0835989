/** Why somebody could not sign in with the company's single sign-on. */
export type OidcRefusalReason =
  /** No answer, or none that could be read. */
  | 'provider_unreachable'
  /** The provider, or the person at its page, said no. */
  | 'access_denied'
  /** The provider refused the gateway: its registration there, or its secret. */
  | 'provider_refused'
  /** What the provider answered does not hold: signature, nonce, audience, times. */
  | 'invalid_answer'
  /** The sign-in took too long, was finished already, or was never begun. */
  | 'expired'
  | 'other_browser'
  | 'claim_missing'
  | 'email_not_verified'
  | 'not_in_group'
  | 'account_exists'
  | 'account_disabled'
  | 'too_many'
  | 'not_configured'
  | 'failed';

/** A sign-in that ended without a session. */
export class OidcRefusal extends Error {
  /** `missing`: the claim, or the groups of which one was needed. `detail` is for the log alone. */
  constructor(
    readonly reason: OidcRefusalReason,
    readonly missing: readonly string[] = [],
    readonly detail: string | null = null,
    options?: ErrorOptions,
  ) {
    super(`single sign-on refused: ${reason}`, options);
    this.name = 'OidcRefusal';
  }
}

/** Whom the provider says that it is; what it says nothing about is null. */
export interface OidcIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly emailVerified: boolean | null;
  readonly name: string;
  readonly groups: readonly string[] | null;
}

/** A sign-in under way, between our redirect to the provider and its redirect back. */
export interface OidcFlow {
  readonly nonce: string;
  readonly codeVerifier: string;
  /** The path of ours to show then. */
  readonly next: string;
}

/** A sign-in just begun: `state` goes to the provider, and only its hash is kept. */
export interface BegunFlow extends OidcFlow {
  readonly state: string;
}
