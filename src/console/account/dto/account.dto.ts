import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsOptional, IsString, Length } from 'class-validator';
import { PersonView } from '../../dto/person.view.js';
import { IsUserName, NewPassword } from '../../dto/request-fields.js';
import { TextOrNull } from '../../dto/view-properties.js';

export class AccountView extends PersonView {
  @ApiProperty({ enum: ['local', 'oidc', 'service'] })
  source!: 'local' | 'oidc' | 'service';

  @ApiProperty({ description: 'Whether the account has a password.' })
  hasPassword!: boolean;

  @ApiProperty()
  createdAt!: Date;
}

export class AccountUpdate {
  @ApiProperty()
  @IsUserName()
  name!: string;
}

export class PasswordChange {
  @ApiProperty({ format: 'password' })
  @IsString()
  @Length(1, 1024)
  currentPassword!: string;

  @NewPassword()
  newPassword!: string;
}

export class AccountSessionView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ description: 'The current session.' })
  current!: boolean;

  @ApiProperty({ enum: ['password', 'oidc', 'setup'] })
  method!: 'password' | 'oidc' | 'setup';

  @TextOrNull()
  address!: string | null;

  @TextOrNull()
  userAgent!: string | null;

  @ApiProperty()
  createdAt!: Date;

  @ApiProperty({ description: 'Accurate to the minute.' })
  lastSeenAt!: Date;

  @ApiProperty({ description: 'The latest time at which it ends.' })
  expiresAt!: Date;
}

export class SessionsToClose {
  @ApiProperty({ type: Boolean, required: false, default: false, description: 'Keep the current session.' })
  @IsOptional()
  @Transform(({ value }) => (value === 'true' ? true : value === 'false' ? false : value))
  @IsBoolean()
  keepCurrent = false;
}

export class ClosedSessionsView {
  @ApiProperty({ description: 'The number of ended sessions.' })
  closed!: number;
}
