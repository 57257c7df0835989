import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { UserKind, UserRole } from './user.types.js';

/** A person, a service account (it has keys and cannot sign in), or the user that represents a project. */
@Entity('users')
export class UserEntity {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** With its ASCII letters in lower case; null only for users of a project. */
  @Column('text', { nullable: true })
  email!: string | null;

  @Column('text')
  name!: string;

  @Column('text')
  role!: UserRole;

  @Column('text')
  kind!: UserKind;

  @Column('uuid', { name: 'project_id', nullable: true })
  projectId!: string | null;

  @Column('text', { name: 'password_hash', nullable: true })
  passwordHash!: string | null;

  @Column('timestamptz', { name: 'disabled_at', nullable: true })
  disabledAt!: Date | null;

  /** The identity in single sign-on: both, or neither. */
  @Column('text', { name: 'oidc_issuer', nullable: true })
  oidcIssuer!: string | null;

  @Column('text', { name: 'oidc_subject', nullable: true })
  oidcSubject!: string | null;

  /** The user's last use of the console, to the minute. */
  @Column('timestamptz', { name: 'last_seen_at', nullable: true })
  lastSeenAt!: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
