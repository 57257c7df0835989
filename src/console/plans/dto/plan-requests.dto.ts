import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayUnique, IsInt, IsString, Matches, MaxLength } from 'class-validator';
import { HOLDER_SORTS } from '../../../billing/plan-holders.service.js';
import { IsGivenOrMissing } from '../../dto/is-given-or-missing.js';
import { LimitsDto } from '../../dto/limits.dto.js';
import {
  IsTextList,
  NO_CONTROL_CHARACTERS,
  OptionalFlag,
  OptionalLimits,
  OptionalTime,
} from '../../dto/request-fields.js';
import { PageQuery, SortedBy } from '../../lists/list-query.js';

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
