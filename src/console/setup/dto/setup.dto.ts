import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length, Matches, MaxLength } from 'class-validator';
import { NO_CONTROL_CHARACTERS } from '../../shared/text-rules.js';

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
  @IsString()
  @MaxLength(100)
  @Matches(NO_CONTROL_CHARACTERS, { message: 'name must not contain control characters' })
  name!: string;

  @ApiProperty({ format: 'password', minLength: 12, maxLength: 1024 })
  @IsString()
  @Length(12, 1024)
  password!: string;
}
