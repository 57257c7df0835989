import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length, Matches } from 'class-validator';
import { NO_CONTROL_CHARACTERS } from '../../dto/request-fields.js';

export class SignInRequest {
  @ApiProperty({ example: 'you@example.com' })
  @IsString()
  @Length(1, 254)
  @Matches(NO_CONTROL_CHARACTERS, { message: 'email must not contain control characters' })
  email!: string;

  @ApiProperty({ format: 'password' })
  @IsString()
  @Length(1, 1024)
  password!: string;
}
