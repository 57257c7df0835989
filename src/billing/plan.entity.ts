import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The plan of whoever was given none. */
export const DEFAULT_PLAN = 'free';

/** What a user may call. Of several grants that hold at once, the plan of the highest rank counts. */
@Entity('plans')
export class PlanEntity {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text', { array: true })
  tiers!: string[];

  /** Models beside those of the tiers, by their ids. */
  @Column('text', { array: true })
  models!: string[];

  @Column('int')
  rank!: number;

  /** From then on nobody is given it; who has it keeps it. */
  @Column('timestamptz', { name: 'retired_at', nullable: true })
  retiredAt!: Date | null;
}
