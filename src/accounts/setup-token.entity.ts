import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What makes the first administrator; each process that starts without one has its own. */
@Entity('setup_tokens')
export class SetupTokenEntity {
  /** SHA-256 of the token; the token itself is stored nowhere. */
  @PrimaryColumn('bytea', { name: 'token_hash' })
  tokenHash!: Buffer;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}
