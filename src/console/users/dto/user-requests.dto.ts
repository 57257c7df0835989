import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';
import type { UserRole } from '../../../accounts/user.types.js';
import { IsGivenOrMissing } from '../../dto/is-given-or-missing.js';
import { IsUserName, OptionalChoice, OptionalFlag } from '../../dto/request-fields.js';

const ROLES: readonly UserRole[] = ['admin', 'member'];
const KINDS = ['person', 'service'] as const;

export class CreateUserDto {
  @ApiProperty({ example: 'ada@example.com' })
  @IsString()
  @Length(1, 254)
  email!: string;

  @ApiPropertyOptional({ maxLength: 100 })
  @IsGivenOrMissing()
  @IsUserName()
  name?: string;

  @OptionalChoice(ROLES, { default: 'member' })
  role?: UserRole;

  @OptionalChoice(KINDS, { default: 'person', description: 'A service account has keys and cannot sign in.' })
  kind?: (typeof KINDS)[number];
}

export class UpdateUserDto {
  @ApiPropertyOptional({ maxLength: 100 })
  @IsGivenOrMissing()
  @IsUserName()
  name?: string;

  @OptionalChoice(ROLES)
  role?: UserRole;

  @OptionalFlag("True ends the user's sessions and disables the keys.")
  disabled?: boolean;
}
