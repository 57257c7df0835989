import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';

export class OidcStartQuery {
  @ApiPropertyOptional({ description: 'The path of the console to show after the sign-in.', example: '/keys' })
  @IsOptional()
  @IsString()
  next?: string;
}

export class SignInFailureView {
  @ApiProperty({ example: 'not_in_group' })
  reason!: string;

  @ApiProperty({
    type: [String],
    description: 'The claim that the provider did not send, or the groups of which one is required.',
  })
  missing!: string[];

  @ApiProperty({ example: 'req_9fQ2nM3xK8sTbW1c' })
  requestId!: string;
}

export class LastSignInFailureView {
  @ApiProperty({ type: SignInFailureView, nullable: true, description: 'Null if there was none recently.' })
  failure!: SignInFailureView | null;
}
