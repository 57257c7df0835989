import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** Sources of grants that follow something else: groups in single sign-on, payments. */
export const FOLLOWED_SOURCES = ['oidc', 'stripe'] as const;
export type FollowedSource = (typeof FOLLOWED_SOURCES)[number];

/** A user's plan from `startsAt` until before `endsAt` (null = open end). Users without a current grant are on `free`. */
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
