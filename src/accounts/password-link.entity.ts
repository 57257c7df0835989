import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A one-time link to set a password. */
@Entity('one_time_links')
export class PasswordLinkEntity {
  /** SHA-256 of the link's token; the token itself is not stored. */
  @PrimaryColumn('bytea', { name: 'token_hash' })
  tokenHash!: Buffer;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt!: Date | null;
}
