import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';
import { IsUserName, NewPassword } from '../../dto/request-fields.js';

export class SetupView {
  @ApiProperty({ description: 'There is no administrator yet.' })
  needed!: boolean;
}

export class SetupRequest {
  @ApiProperty({
    description:
      'From the setup link (printed when the gateway starts, otherwise in `DATA_DIR/setup-link`); it works once.',
  })
  @IsString()
  @Length(1, 200)
  token!: string;

  @ApiProperty({ example: 'you@example.com' })
  @IsString()
  @Length(1, 254)
  email!: string;

  @ApiProperty()
  @IsUserName()
  name!: string;

  @NewPassword()
  password!: string;
}
