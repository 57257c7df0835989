import { ApiProperty } from '@nestjs/swagger';

export class PlaygroundKeyView {
  @ApiProperty({ description: 'For `Authorization: Bearer` on `/v1`. Keep it in memory only.' })
  key!: string;

  @ApiProperty({ description: 'When it stops working.' })
  expiresAt!: Date;
}
