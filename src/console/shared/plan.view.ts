import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { ArrayUnique, IsInt, IsString, Matches, MaxLength } from 'class-validator';
import { HOLDER_SORTS } from '../../billing/plan-holders.service.js';
import {
  IsGivenOrMissing,
  IsTextList,
  LimitsDto,
  LimitsView,
  NO_CONTROL_CHARACTERS,
  OptionalFlag,
  OptionalLimits,
  OptionalTime,
} from './fields.js';
import { PageQuery, SortedBy } from './lists.js';
import { IdOrNull, Integer, IntegerOrNull, TextOrNull, TimeOrNull, ViewOrNull } from './views.js';

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

  @ApiProperty({ type: [String], description: 'Guards of gateway.yaml for the calls of its users.' })
  guards!: string[];

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
@ApiSchema({ name: 'HeldPlanView' })
export class GrantedPlanView {
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
  mine!: GrantedPlanView;
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

export class PlanHoldersQuery extends PageQuery {
  @SortedBy(HOLDER_SORTS, '-since')
  sort: string = '-since';
}

export class GrantPlanDto {
  @ApiProperty({ example: 'pro' })
  @IsString()
  @MaxLength(100)
  @Matches(NO_CONTROL_CHARACTERS, { message: '$property must be a single line of text' })
  planId!: string;

  @OptionalTime('Missing or null: no end.')
  until?: string | null;
}

class PlanContentsDto {
  @ApiPropertyOptional({ maxLength: 40, example: 'Pro' })
  @IsGivenOrMissing()
  @IsString()
  @MaxLength(40)
  @Matches(/\S/, { message: '$property must not be empty' })
  @Matches(NO_CONTROL_CHARACTERS, { message: '$property must be a single line of text' })
  name?: string;

  @ApiPropertyOptional({
    type: [String],
    example: ['free', 'pro'],
    description: 'Tiers of the catalog whose models the plan includes; at least one, unless it has additional models.',
  })
  @IsGivenOrMissing()
  @IsTextList(100, ArrayUnique())
  tiers?: string[];

  @ApiPropertyOptional({ type: [String], description: 'Additional models, by id.' })
  @IsGivenOrMissing()
  @IsTextList(1000, ArrayUnique())
  namedModels?: string[];

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: 1_000_000,
    description: 'If a user has several plans, the one with the highest rank applies.',
  })
  @IsGivenOrMissing()
  @IsInt()
  rank?: number;

  @OptionalLimits('For each of its users, over all keys of the user.')
  limits?: LimitsDto;
}

export class CreatePlanDto extends PlanContentsDto {
  @ApiProperty({ example: 'team-a', pattern: '^[a-z0-9][a-z0-9_-]{0,39}$' })
  @IsString()
  @MaxLength(40)
  id!: string;
}

export class UpdatePlanDto extends PlanContentsDto {
  @OptionalFlag('A retired plan cannot be granted to new users; existing users keep it.')
  retired?: boolean;
}
