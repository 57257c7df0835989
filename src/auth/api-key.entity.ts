import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity('api_keys')
export class ApiKeyEntity {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  @Column('text')
  name!: string;

  /** SHA-256 of the key; the key itself is stored nowhere. */
  @Column('bytea', { name: 'key_hash', select: false })
  keyHash!: Buffer;

  /** `svc_ab12…9xYz` */
  @Column('text')
  display!: string;

  /** The models that the key is for; null = all that its owner may use. */
  @Column('text', { array: true, nullable: true })
  models!: string[] | null;

  /** The addresses and ranges that the key may be used from; null = any. */
  @Column('text', { array: true, nullable: true })
  addresses!: string[] | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt!: Date | null;

  @Column('timestamptz', { name: 'disabled_at', nullable: true })
  disabledAt!: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;
}
