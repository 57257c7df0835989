import { ApiProperty } from '@nestjs/swagger';

export class PlanNameView {
  @ApiProperty({ example: 'pro' })
  id!: string;

  @ApiProperty({ example: 'Pro' })
  name!: string;
}

export class PlanView extends PlanNameView {
  @ApiProperty({ type: [String], description: 'Models of these tiers can be called.' })
  tiers!: string[];

  @ApiProperty({ description: 'Whether it is the plan of everybody who was given none.' })
  isDefault!: boolean;

  @ApiProperty({ type: 'integer', description: 'How many models can be called with it today.' })
  models!: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'How many users are on it now; null unless an admin asks.',
  })
  users!: number | null;
}

export class TierView {
  @ApiProperty({ example: 'free' })
  id!: string;

  @ApiProperty({ type: 'integer', description: 'How many models of the tier are served today.' })
  models!: number;
}

/** The plan that somebody has now. */
export class HeldPlanView {
  @ApiProperty()
  plan!: PlanNameView;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Null: from the beginning.' })
  since!: Date | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Null: no end.' })
  until!: Date | null;
}

export class PlansView {
  @ApiProperty({ type: [PlanView], description: 'The lowest first.' })
  plans!: PlanView[];

  @ApiProperty({ type: [TierView], description: 'Those of the catalog.' })
  tiers!: TierView[];

  @ApiProperty({ description: 'The plan of who asks.' })
  mine!: HeldPlanView;
}

/** Somebody who was given the plan. */
export class PlanHolderView {
  @ApiProperty({ format: 'uuid' })
  userId!: string;

  @ApiProperty()
  email!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ description: 'Whether the account is disabled.' })
  disabled!: boolean;

  @ApiProperty({ format: 'date-time', description: 'May lie in the future.' })
  since!: Date;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Null: no end.' })
  until!: Date | null;

  @ApiProperty({ example: 'console', description: 'Who or what gave it.' })
  source!: string;
}
