import { Column, CreateDateColumn, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** What a user can call. If a user has several plans, the one with the highest rank applies. */
@Entity('plans')
export class PlanEntity {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text', { array: true })
  tiers!: string[];

  /** Models in addition to those of the tiers, by id. */
  @Column('text', { array: true })
  models!: string[];

  /** Guards of gateway.yaml for the calls of its users, by name. */
  @Column('text', { array: true, default: '{}' })
  guards!: string[];

  @Column('int')
  rank!: number;

  /** After this time it cannot be granted to new users; existing users keep it. */
  @Column('timestamptz', { name: 'retired_at', nullable: true })
  retiredAt!: Date | null;
}

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
