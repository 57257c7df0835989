import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { Permission } from '../accounts/permissions.js';

@Entity('access_tokens')
export class AccessTokenEntity {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** The person or service account whose rights it has, within its scopes. */
  @Column('uuid', { name: 'user_id' })
  userId!: string;

  @Column('text')
  name!: string;

  /** SHA-256 of the token; the token itself is not stored. */
  @Column('bytea', { name: 'token_hash', select: false })
  tokenHash!: Buffer;

  /** `gat_ab12…9xYz` */
  @Column('text')
  display!: string;

  @Column('text', { array: true })
  scopes!: Permission[];

  /** Addresses and ranges that may use it; null: any. */
  @Column('text', { array: true, nullable: true })
  addresses!: string[] | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  /** Null if it was not a user. */
  @Column('uuid', { name: 'created_by', nullable: true })
  createdBy!: string | null;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;

  @Column('text', { name: 'last_used_address', nullable: true })
  lastUsedAddress!: string | null;

  @Column('text', { name: 'last_used_agent', nullable: true })
  lastUsedAgent!: string | null;
}
