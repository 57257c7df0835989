import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsIn, IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';
import type { BulkKeyChange, RotationOverlap } from '../../auth/api-key.types.js';
import { KEY_SORTS, KEY_STATUS_FILTERS, type KeyStatusFilter } from '../../auth/key-list.service.js';
import {
  IsGivenOrMissing,
  IsTextList,
  LimitsDto,
  OptionalChoice,
  OptionalFlag,
  OptionalId,
  OptionalLimits,
  OptionalScope,
  OptionalTime,
  type OwnerScope,
} from '../shared/fields.js';
import { ExactText, ListQuery, SortedBy } from '../shared/lists.js';

const MAX_ENTRIES = 200;
const OVERLAPS: readonly RotationOverlap[] = ['none', '1h', '24h', '7d'];
const CHANGES: readonly BulkKeyChange[] = ['disable', 'enable', 'revoke'];

export class KeysQuery extends ListQuery {
  @OptionalScope('mine', 'Whose keys')
  scope: OwnerScope = 'mine';

  @OptionalId('Only the keys of this user, with the scope `all`.')
  userId?: string;

  @OptionalId('Keys of this project and its service accounts, for its members and admins; `scope` is ignored.')
  project?: string;

  @ExactText('name')
  name?: string;

  @OptionalChoice(KEY_STATUS_FILTERS, {
    default: 'all',
    description:
      '`current`: all except revoked ones. `expiring` ones expire within a week and are also `active`; those of a disabled owner count as `disabled`.',
  })
  status: KeyStatusFilter = 'all';

  @SortedBy(KEY_SORTS, 'created')
  sort: string = 'created';
}

/** The editable fields of a key. */
class KeyLimits {
  @ApiPropertyOptional({ maxLength: 500, description: 'A note to recognize the key.' })
  @IsGivenOrMissing()
  @IsString()
  @MaxLength(500)
  note?: string;

  @ApiPropertyOptional({
    type: [String],
    nullable: true,
    description: "The models that it can use, a subset of its owner's; null: all of the owner's models.",
  })
  @IsOptional()
  @IsTextList(MAX_ENTRIES, ArrayNotEmpty())
  models?: string[] | null;

  @ApiPropertyOptional({
    type: [String],
    nullable: true,
    example: ['203.0.113.7', '10.0.0.0/8'],
    description: 'The only addresses and ranges that it can be used from; null: any.',
  })
  @IsOptional()
  @IsTextList(MAX_ENTRIES, ArrayNotEmpty())
  addresses?: string[] | null;

  @OptionalLimits('The key’s own limits, in addition to its owner’s and never above them.')
  limits?: LimitsDto;
}

export class CreateKeyDto extends KeyLimits {
  @ApiProperty({ maxLength: 100, example: 'alice-laptop' })
  @IsString()
  @MaxLength(100)
  name!: string;

  @OptionalTime("Null: never, if the key policy allows it. If missing: after the policy's default lifetime.")
  expiresAt?: string | null;

  @OptionalId('The owner, for example a service account; only for admins.')
  userId?: string;

  @OptionalId('The project that it belongs to; for managers of the project and admins. Not together with `userId`.')
  projectId?: string;

  @OptionalId('A service account of the project, as the owner of the key.')
  serviceAccountId?: string;
}

export class UpdateKeyDto extends KeyLimits {
  @ApiPropertyOptional({ maxLength: 100 })
  @IsGivenOrMissing()
  @IsString()
  @MaxLength(100)
  name?: string;

  @OptionalTime('Null: never.')
  expiresAt?: string | null;

  @OptionalFlag('A disabled key is refused until it is enabled again.')
  disabled?: boolean;
}

export class RotateKeyDto {
  @ApiProperty({ enum: OVERLAPS, description: 'How long the previous secret stays valid.' })
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
