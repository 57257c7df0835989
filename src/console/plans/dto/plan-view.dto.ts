import { ApiProperty } from '@nestjs/swagger';
import { LimitsView } from '../../dto/limits.view.js';
import { IdOrNull, Integer, IntegerOrNull, TextOrNull, TimeOrNull, ViewOrNull } from '../../dto/view-properties.js';

export class PlanNameView {
  @ApiProperty({ example: 'pro' })
  id!: string;

  @ApiProperty({ example: 'Pro' })
  name!: string;
}

export class PlanView extends PlanNameView {
  @ApiProperty({ type: [String], description: 'Models of these tiers are included.' })
  tiers!: string[];

  @ApiProperty({ type: [String], description: 'Additional models.' })
  namedModels!: string[];

  @Integer('If a user has several plans, the one with the highest rank applies.')
  rank!: number;

  @ApiProperty({ description: 'It cannot be granted to new users; existing users keep it.' })
  isRetired!: boolean;

  @ViewOrNull(
    LimitsView,
    'For each of its users, over all keys of the user. Null for plans other than yours, unless you are an admin.',
  )
  limits!: LimitsView | null;

  @ApiProperty({ description: 'Whether it is the default plan.' })
  isDefault!: boolean;

  @Integer('The number of models that can be used with it now.')
  models!: number;

  @IntegerOrNull('The current number of users; null except for admins.')
  users!: number | null;
}

export class TierView {
  @ApiProperty({ example: 'free' })
  id!: string;

  @Integer('The number of models of the tier that are served now.')
  models!: number;
}

/** A user's current plan. */
export class HeldPlanView {
  @ApiProperty()
  plan!: PlanNameView;

  @TimeOrNull('Null: no start.')
  since!: Date | null;

  @TimeOrNull('Null: no end.')
  until!: Date | null;
}

export class PlansView {
  @ApiProperty({ type: [PlanView], description: 'By rank, lowest first.' })
  plans!: PlanView[];

  @ApiProperty({ type: [TierView], description: 'The tiers of the catalog.' })
  tiers!: TierView[];

  @ApiProperty({ description: 'Your plan.' })
  mine!: HeldPlanView;
}

const HOLDER_KINDS = ['person', 'service', 'project'] as const;

/** A user or project that has the plan. */
export class PlanHolderView {
  @ApiProperty({ format: 'uuid' })
  userId!: string;

  @TextOrNull('Null for a project.')
  email!: string | null;

  @ApiProperty()
  name!: string;

  @ApiProperty({ enum: HOLDER_KINDS })
  kind!: (typeof HOLDER_KINDS)[number];

  @IdOrNull('The id of the project, if the holder is one.')
  projectId!: string | null;

  @ApiProperty({ description: 'Whether the account is disabled.' })
  disabled!: boolean;

  @ApiProperty({ description: 'Can be in the future.' })
  since!: Date;

  @TimeOrNull('Null: no end.')
  until!: Date | null;

  @ApiProperty({ example: 'console', description: 'Who or what granted it.' })
  source!: string;
}

export class PlanHoldersView {
  @ApiProperty({ type: [PlanHolderView] })
  items!: PlanHolderView[];

  @TextOrNull('The `cursor` of the next page.')
  next!: string | null;
}
