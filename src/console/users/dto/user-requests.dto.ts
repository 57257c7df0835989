import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsString, Length, Matches, MaxLength } from 'class-validator';
import type { UserRole } from '../../../accounts/user.types.js';
import { IsGivenOrMissing } from '../../dto/is-given-or-missing.js';
import { NO_CONTROL_CHARACTERS } from '../../shared/text-rules.js';

const ROLES: readonly UserRole[] = ['admin', 'member'];
const KINDS = ['person', 'service'] as const;

export class CreateUserDto {
  @ApiProperty({ example: 'ada@example.com' })
  @IsString()
  @Length(1, 254)
  email!: string;

  @ApiPropertyOptional({ maxLength: 100 })
  @IsGivenOrMissing()
  @IsString()
  @MaxLength(100)
  @Matches(NO_CONTROL_CHARACTERS, { message: 'name must not contain control characters' })
  name?: string;

  @ApiPropertyOptional({ enum: ROLES, default: 'member' })
  @IsGivenOrMissing()
  @IsIn(ROLES)
  role?: UserRole;

  @ApiPropertyOptional({
    enum: KINDS,
    default: 'person',
    description: 'A service account has keys and cannot sign in.',
  })
  @IsGivenOrMissing()
  @IsIn(KINDS)
  kind?: (typeof KINDS)[number];
}

export class UpdateUserDto {
  @ApiPropertyOptional({ maxLength: 100 })
  @IsGivenOrMissing()
  @IsString()
  @MaxLength(100)
  @Matches(NO_CONTROL_CHARACTERS, { message: 'name must not contain control characters' })
  name?: string;

  @ApiPropertyOptional({ enum: ROLES })
  @IsGivenOrMissing()
  @IsIn(ROLES)
  role?: UserRole;

  @ApiPropertyOptional({ description: "True ends the user's sessions and disables the keys." })
  @IsGivenOrMissing()
  @IsBoolean()
  disabled?: boolean;
}
