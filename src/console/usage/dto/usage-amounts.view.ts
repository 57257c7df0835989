import { ApiProperty } from '@nestjs/swagger';
import { Integer } from '../../dto/view-properties.js';

/** Tokens and cost of one call or many. */
export class UsageAmountsView {
  @Integer('Including cached ones.')
  inputTokens!: number;

  @Integer()
  cachedTokens!: number;

  @Integer('Including reasoning.')
  outputTokens!: number;

  @Integer()
  reasoningTokens!: number;

  @ApiProperty({ description: 'The exact cost: whole nano-dollars (10⁻⁹ $).', example: '1234500' })
  costNanodollars!: string;

  @ApiProperty({ description: 'The same in dollars, as a number.' })
  costUsd!: number;
}
