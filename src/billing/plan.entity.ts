import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The plan of users without a grant. */
export const DEFAULT_PLAN = 'free';

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

  @Column('int')
  rank!: number;

  /** After this time it cannot be granted to new users; existing users keep it. */
  @Column('timestamptz', { name: 'retired_at', nullable: true })
  retiredAt!: Date | null;
}
