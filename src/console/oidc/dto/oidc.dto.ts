import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { ViewOrNull } from '../../dto/view-properties.js';

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
  @ViewOrNull(SignInFailureView, 'Null if there was none recently.')
  failure!: SignInFailureView | null;
}
