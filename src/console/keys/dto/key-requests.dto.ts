import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import type { BulkKeyChange, RotationOverlap } from '../../../auth/api-key.types.js';
import { KEY_SORTS, KEY_STATUS_FILTERS, type KeyStatusFilter } from '../../../auth/key-list.types.js';
import { IsGivenOrMissing } from '../../dto/is-given-or-missing.js';
import { IsInstant } from '../../dto/is-instant.js';
import { LimitsDto } from '../../dto/limits.dto.js';
import { ListQuery, SortedBy } from '../../lists/list-query.js';

const MAX_ENTRIES = 200;
const OVERLAPS: readonly RotationOverlap[] = ['none', '1h', '24h', '7d'];
const CHANGES: readonly BulkKeyChange[] = ['disable', 'enable', 'revoke'];
const SCOPES = ['mine', 'all'] as const;

export class KeysQuery extends ListQuery {
  @ApiPropertyOptional({ enum: SCOPES, default: 'mine', description: "`all` users' keys: for admins." })
  @IsOptional()
  @IsIn(SCOPES)
  scope: (typeof SCOPES)[number] = 'mine';

  @ApiPropertyOptional({
    enum: KEY_STATUS_FILTERS,
    default: 'all',
    description:
      '`current`: all but revoked ones. `expiring` ones end within a week and are `active`, too; those of a disabled owner count as `disabled`.',
  })
  @IsOptional()
  @IsIn(KEY_STATUS_FILTERS)
  status: KeyStatusFilter = 'all';

  @SortedBy(KEY_SORTS, 'created')
  sort: string = 'created';
}

/** The editable fields of a key. */
class KeyLimits {
  @ApiPropertyOptional({ maxLength: 500, description: 'Whatever helps to know it again.' })
  @IsGivenOrMissing()
  @IsString()
  @MaxLength(500)
  note?: string;

  @ApiPropertyOptional({
    type: [String],
    nullable: true,
    description: 'The only models that it may call, out of those that its owner may; null: all of them.',
  })
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_ENTRIES)
  @IsString({ each: true })
  models?: string[] | null;

  @ApiPropertyOptional({
    type: [String],
    nullable: true,
    example: ['203.0.113.7', '10.0.0.0/8'],
    description: 'The only addresses and ranges that it may be used from; null: any.',
  })
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_ENTRIES)
  @IsString({ each: true })
  addresses?: string[] | null;

  @ApiPropertyOptional({ description: 'Of this key alone, beside what its owner has and never above it.' })
  @IsGivenOrMissing()
  @IsObject()
  @ValidateNested()
  @Type(() => LimitsDto)
  limits?: LimitsDto;
}

export class CreateKeyDto extends KeyLimits {
  @ApiProperty({ maxLength: 100, example: 'alice-laptop' })
  @IsString()
  @MaxLength(100)
  name!: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    format: 'date-time',
    description: "Null: never, where the key policy allows it. Left out: after the policy's default lifetime.",
  })
  @IsOptional()
  @IsInstant()
  expiresAt?: string | null;

  @ApiPropertyOptional({
    format: 'uuid',
    description: 'Whose it is, for example a service account; only admins may say.',
  })
  @IsGivenOrMissing()
  @IsUUID()
  userId?: string;
}

export class UpdateKeyDto extends KeyLimits {
  @ApiPropertyOptional({ maxLength: 100 })
  @IsGivenOrMissing()
  @IsString()
  @MaxLength(100)
  name?: string;

  @ApiPropertyOptional({ type: String, nullable: true, format: 'date-time', description: 'Null: never.' })
  @IsOptional()
  @IsInstant()
  expiresAt?: string | null;

  @ApiPropertyOptional({ description: 'A disabled key is refused until it is enabled again.' })
  @IsGivenOrMissing()
  @IsBoolean()
  disabled?: boolean;
}

export class RotateKeyDto {
  @ApiProperty({ enum: OVERLAPS, description: 'For how long the secret before is taken, too.' })
  @IsIn(OVERLAPS)
  overlap!: RotationOverlap;
}

export class KeyIdsDto {
  @ApiProperty({ type: [String], format: 'uuid', maxItems: MAX_ENTRIES })
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_ENTRIES)
  @IsUUID('all', { each: true })
  ids!: string[];
}

export class ChangeKeysDto extends KeyIdsDto {
  @ApiProperty({ enum: CHANGES })
  @IsIn(CHANGES)
  change!: BulkKeyChange;
}
