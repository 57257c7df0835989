import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';
import { NewPassword } from '../../dto/request-fields.js';

export class PasswordLinkCheck {
  @ApiProperty({ description: "The part of the link's URL after the `#`." })
  @IsString()
  @Length(1, 200)
  token!: string;
}

export class PasswordLinkUse extends PasswordLinkCheck {
  @NewPassword()
  password!: string;
}

export class PasswordLinkOwnerView {
  @ApiProperty()
  email!: string;

  @ApiProperty({ description: 'May be empty.' })
  name!: string;

  @ApiProperty({ description: 'False for an invitation, without a password yet.' })
  hasPassword!: boolean;
}
