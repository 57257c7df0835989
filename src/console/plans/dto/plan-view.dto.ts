import { ApiProperty } from '@nestjs/swagger';
import { LimitsView } from '../../dto/limits.view.js';

export class PlanNameView {
  @ApiProperty({ example: 'pro' })
  id!: string;

  @ApiProperty({ example: 'Pro' })
  name!: string;
}

export class PlanView extends PlanNameView {
  @ApiProperty({ type: [String], description: 'Models of these tiers can be called.' })
  tiers!: string[];

  @ApiProperty({ type: [String], description: 'These models, too.' })
  namedModels!: string[];

  @ApiProperty({ type: 'integer', description: 'If a user has several plans, the one with the highest rank applies.' })
  rank!: number;

  @ApiProperty({ description: 'It cannot be granted to new users; existing users keep it.' })
  isRetired!: boolean;

  @ApiProperty({
    type: LimitsView,
    nullable: true,
    description:
      'For each user on it, all keys of that user together. Null: of another plan than yours, unless an admin asks.',
  })
  limits!: LimitsView | null;

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

/** A user's current plan. */
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

/** A user of the plan. */
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

export class PlanHoldersView {
  @ApiProperty({ type: [PlanHolderView] })
  items!: PlanHolderView[];

  @ApiProperty({ type: String, nullable: true, description: 'The `cursor` of the next page.' })
  next!: string | null;
}
