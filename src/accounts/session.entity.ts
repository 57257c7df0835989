import { Column, CreateDateColumn, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** How someone signed in. */
export type SignInMethod = 'password' | 'oidc' | 'setup';

@Entity('sessions')
export class SessionEntity {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** SHA-256 of the cookie's token; the token itself is not stored. */
  @Column('bytea', { name: 'token_hash', select: false })
  tokenHash!: Buffer;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  @Column('text')
  method!: SignInMethod;

  @Column('text', { nullable: true })
  address!: string | null;

  @Column('text', { name: 'user_agent', nullable: true })
  userAgent!: string | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'last_seen_at' })
  lastSeenAt!: Date;

  /** When it ends at the latest; it ends earlier if it is not used. */
  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}

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
