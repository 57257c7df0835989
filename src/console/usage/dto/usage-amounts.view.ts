import { ApiProperty } from '@nestjs/swagger';

/** Tokens and cost of one call or many. */
export class UsageAmountsView {
  @ApiProperty({ type: 'integer', description: 'Cached ones included.' })
  inputTokens!: number;

  @ApiProperty({ type: 'integer' })
  cachedTokens!: number;

  @ApiProperty({ type: 'integer', description: 'Reasoning ones included.' })
  outputTokens!: number;

  @ApiProperty({ type: 'integer' })
  reasoningTokens!: number;

  @ApiProperty({ description: 'The exact cost: whole nano-dollars (10⁻⁹ $).', example: '1234500' })
  costNanodollars!: string;

  @ApiProperty({ description: 'The same in dollars, as near as a number can be.' })
  costUsd!: number;
}
