import { Column, Entity, PrimaryColumn } from 'typeorm';

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
