import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity('api_keys')
export class ApiKeyEntity {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  @Column('text')
  name!: string;

  /** `playground`: created by the console for a user and never listed. */
  @Column('text')
  kind!: 'user' | 'playground';

  @Column('text')
  note!: string;

  /** SHA-256 of the key; the key itself is not stored. */
  @Column('bytea', { name: 'key_hash', select: false })
  keyHash!: Buffer;

  /** `svc_ab12…9xYz` */
  @Column('text')
  display!: string;

  /** Of an identity, which has tokens of its issuer in place of a secret; null: it is a key. */
  @Column('text', { nullable: true })
  issuer!: string | null;

  /** Of an identity, at its issuer. */
  @Column('text', { nullable: true })
  subject!: string | null;

  /** The person who uses an identity of a service account. */
  @Column('uuid', { name: 'person_id', nullable: true })
  personId!: string | null;

  /** Null: all models that the owner may use. */
  @Column('text', { array: true, nullable: true })
  models!: string[] | null;

  /** Addresses and ranges that may use the key; null: any. */
  @Column('text', { array: true, nullable: true })
  addresses!: string[] | null;

  /** Prompts and answers of its calls are stored. */
  @Column('boolean', { name: 'logs_content' })
  logsContent!: boolean;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt!: Date | null;

  @Column('timestamptz', { name: 'disabled_at', nullable: true })
  disabledAt!: Date | null;

  /** Null if it was not a user. */
  @Column('uuid', { name: 'disabled_by', nullable: true })
  disabledBy!: string | null;

  /** Who set the bounds for the owner. Null if it was not a user, or there are no bounds. */
  @Column('uuid', { name: 'bound_by', nullable: true })
  boundBy!: string | null;

  @Column('text', { name: 'bound_models', array: true, nullable: true })
  boundModels!: string[] | null;

  @Column('text', { name: 'bound_addresses', array: true, nullable: true })
  boundAddresses!: string[] | null;

  @Column('timestamptz', { name: 'bound_expires_at', nullable: true })
  boundExpiresAt!: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;

  @Column('text', { name: 'last_used_address', nullable: true })
  lastUsedAddress!: string | null;

  @Column('text', { name: 'last_used_agent', nullable: true })
  lastUsedAgent!: string | null;

  @Column('text', { name: 'last_used_model', nullable: true })
  lastUsedModel!: string | null;

  /** The last use of the present secret; also null if it was before such uses were recorded. */
  @Column('timestamptz', { name: 'secret_used_at', nullable: true })
  secretUsedAt!: Date | null;

  @Column('timestamptz', { name: 'rotated_at', nullable: true })
  rotatedAt!: Date | null;

  /** The secret before the last rotation, valid until `previousExpiresAt`. */
  @Column('bytea', { name: 'previous_key_hash', nullable: true, select: false })
  previousKeyHash!: Buffer | null;

  @Column('text', { name: 'previous_display', nullable: true })
  previousDisplay!: string | null;

  @Column('timestamptz', { name: 'previous_expires_at', nullable: true })
  previousExpiresAt!: Date | null;

  @Column('timestamptz', { name: 'previous_used_at', nullable: true })
  previousUsedAt!: Date | null;

  @Column('text', { name: 'previous_used_address', nullable: true })
  previousUsedAddress!: string | null;

  @Column('text', { name: 'previous_used_agent', nullable: true })
  previousUsedAgent!: string | null;
}
