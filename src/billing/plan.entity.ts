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

  @Column('int')
  rank!: number;
}
