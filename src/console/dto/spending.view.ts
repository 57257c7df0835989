import { ApiProperty } from '@nestjs/swagger';
import { Integer } from './view-properties.js';

/** The spending of a key or a user. */
export class SpendingView {
  @ApiProperty({ description: 'Integer nano-dollars.', example: '1250000' })
  costNanodollars!: string;

  @ApiProperty({ description: 'The same in US dollars, as a number.' })
  costUsd!: number;

  @Integer()
  calls!: number;
}
