import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** Sources that grants are synchronized with: groups in single sign-on, payments. */
export const SYNCED_SOURCES = ['oidc', 'stripe'] as const;
export type SyncedSource = (typeof SYNCED_SOURCES)[number];

/** A user's plan from `startsAt` until before `endsAt` (null: no end). Users without a current grant have `free`. */
@Entity('plan_grants')
export class PlanGrantEntity {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  @Column('text', { name: 'plan_id' })
  planId!: string;

  @Column('timestamptz', { name: 'starts_at' })
  startsAt!: Date;

  @Column('timestamptz', { name: 'ends_at', nullable: true })
  endsAt!: Date | null;

  /** Who or what granted it, for example `cli`. */
  @Column('text')
  source!: string;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
