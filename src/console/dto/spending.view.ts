import { ApiProperty } from '@nestjs/swagger';

/** What a key or a user has spent. */
export class SpendingView {
  @ApiProperty({ description: 'Integer nano-dollars.', example: '1250000' })
  costNanodollars!: string;

  @ApiProperty({ description: 'The same in US dollars, rounded to what a number holds.' })
  costUsd!: number;

  @ApiProperty({ type: 'integer' })
  calls!: number;
}
