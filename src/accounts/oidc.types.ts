import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Why a single sign-on failed. */
export type OidcRefusalReason =
  /** No response, or an unreadable one. */
  | 'provider_unreachable'
  /** The provider, or the person at its page, refused. */
  | 'access_denied'
  /** The provider refused the gateway: its registration, or its secret. */
  | 'provider_refused'
  /** The provider's response could not be verified: signature, nonce, audience, times. */
  | 'invalid_answer'
  /** The sign-in took too long, was already finished, or was never started. */
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

/** A sign-in without a session as its result. */
export class OidcRefusal extends Error {
  /** `missing`: the missing claim, or the groups of which one is required. `detail` is only for the log. */
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

/** The identity according to the provider; null if it does not state a value. */
export interface OidcIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly emailVerified: boolean | null;
  readonly name: string;
  readonly groups: readonly string[] | null;
}

/** A running sign-in, between our redirect to the provider and its redirect back. */
export type OidcFlow = Readonly<Pick<OidcSignInEntity, 'nonce' | 'codeVerifier' | 'next'>>;

/** A new sign-in: `state` goes to the provider, and only its hash is stored. */
export interface StartedFlow extends OidcFlow {
  readonly state: string;
}

/** A running sign-in. */
@Entity('oidc_sign_ins')
export class OidcSignInEntity {
  /** SHA-256. */
  @PrimaryColumn('bytea', { name: 'state_hash' })
  stateHash!: Buffer;

  /** SHA-256 of the cookie of the browser that started it. */
  @Column('bytea', { name: 'browser_hash' })
  browserHash!: Buffer;

  @Column('text')
  nonce!: string;

  @Column('text', { name: 'code_verifier' })
  codeVerifier!: string;

  /** The path of the console to show afterwards. */
  @Column('text')
  next!: string;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}
