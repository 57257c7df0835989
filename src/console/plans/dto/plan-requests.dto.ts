import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
} from 'class-validator';
import { IsGivenOrMissing } from '../../dto/is-given-or-missing.js';
import { IsInstant } from '../../dto/is-instant.js';
import { NO_CONTROL_CHARACTERS } from '../../text-rules.js';

export class GrantPlanDto {
  @ApiProperty({ example: 'pro' })
  @IsString()
  @MaxLength(100)
  @Matches(NO_CONTROL_CHARACTERS, { message: '$property must be text of one line' })
  planId!: string;

  @ApiPropertyOptional({ type: String, format: 'date-time', nullable: true, description: 'Missing or null: no end.' })
  @IsOptional()
  @IsInstant()
  until?: string | null;
}

export class UpdatePlanDto {
  @ApiPropertyOptional({ maxLength: 40, example: 'Pro' })
  @IsGivenOrMissing()
  @IsString()
  @MaxLength(40)
  @Matches(/\S/, { message: '$property must not be empty' })
  @Matches(NO_CONTROL_CHARACTERS, { message: '$property must be text of one line' })
  name?: string;

  @ApiPropertyOptional({ type: [String], example: ['free', 'pro'], description: 'Tiers of the catalog; at least one.' })
  @IsGivenOrMissing()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(100)
  @ArrayUnique()
  @IsString({ each: true })
  tiers?: string[];
}
